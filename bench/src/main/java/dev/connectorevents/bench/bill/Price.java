package dev.connectorevents.bench.bill;

/**
 * AWS's unit prices in us-east-1, without free tiers and volume discounts. AWS's pages show prices
 * only in a browser, so the prices here come from second-hand sources. Check them against AWS's
 * pages.
 */
enum Price {
  HTTP_API(1.00, "million", "api-gateway/pricing/", "HTTP API, a request, for each 512 KB of it"),
  LAMBDA_REQUEST(0.20, "million", "lambda/pricing/", "Lambda, a request"),
  LAMBDA_GB_SECOND(13.3334, "million", "lambda/pricing/", "Lambda on arm64, a GB-second"),
  WRITE_UNIT(0.625, "million", Price.DYNAMODB, "DynamoDB on demand, a write unit (1 KB)"),
  READ_UNIT(0.125, "million", Price.DYNAMODB, "DynamoDB on demand, a read unit (4 KB)"),
  STORAGE(0.25, "GB-month", Price.DYNAMODB, "DynamoDB, storage"),
  RECOVERY(0.20, "GB-month", Price.DYNAMODB, "DynamoDB, point-in-time recovery"),
  STREAM_READ(
      0.20,
      "million",
      Price.DYNAMODB,
      "DynamoDB Streams, GetRecords of up to 1,000 records and 1 MB; free for Lambda"),
  SECRET(0.40, "month", "secrets-manager/pricing/", "Secrets Manager, the secret itself"),
  SECRET_READ(5.00, "million", "secrets-manager/pricing/", "Secrets Manager, a call"),
  LOGS(0.50, "GB", "cloudwatch/pricing/", "CloudWatch Logs, ingestion"),
  METRIC(0.30, "month", "cloudwatch/pricing/", "CloudWatch, a metric of our own"),
  ALARM(0.10, "month", "cloudwatch/pricing/", "CloudWatch, a metric that an alarm looks at");

  private static final String DYNAMODB = "dynamodb/pricing/on-demand/";

  /** The price of one {@link #per}, such as a million requests. */
  final double dollars;

  final String per;
  final String source;
  final String what;

  Price(double dollars, String per, String page, String what) {
    this.dollars = dollars;
    this.per = per;
    this.source = "https://aws.amazon.com/" + page;
    this.what = what;
  }
}
