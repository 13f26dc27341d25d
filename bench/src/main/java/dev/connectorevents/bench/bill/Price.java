package dev.connectorevents.bench.bill;

/**
 * AWS's unit prices in us-east-1, without free tiers and volume discounts.
 *
 * <p>AWS's pages build their figures in the browser; these are as published second-hand, and the
 * pages are what to check them against.
 */
enum Price {
  HTTP_API("HTTP API, a request, for each 512 KB of it", "million", 1.00, Source.API_GATEWAY),
  LAMBDA_REQUEST("Lambda, a request", "million", 0.20, Source.LAMBDA),
  LAMBDA_GB_SECOND("Lambda on arm64, a GB-second", "million", 13.3334, Source.LAMBDA),
  WRITE_UNIT("DynamoDB on demand, a write unit (1 KB)", "million", 0.625, Source.DYNAMODB),
  READ_UNIT("DynamoDB on demand, a read unit (4 KB)", "million", 0.125, Source.DYNAMODB),
  STORAGE("DynamoDB, storage", "GB-month", 0.25, Source.DYNAMODB),
  RECOVERY("DynamoDB, point-in-time recovery", "GB-month", 0.20, Source.DYNAMODB),
  STREAM_READ(
      "DynamoDB Streams, GetRecords of up to 1,000 records and 1 MB; free for Lambda",
      "million",
      0.20,
      Source.DYNAMODB),
  SECRET("Secrets Manager, the secret itself", "month", 0.40, Source.SECRETS_MANAGER),
  SECRET_READ("Secrets Manager, a call", "million", 5.00, Source.SECRETS_MANAGER),
  LOGS("CloudWatch Logs, ingestion", "GB", 0.50, Source.CLOUDWATCH),
  METRIC("CloudWatch, a metric of our own", "month", 0.30, Source.CLOUDWATCH),
  ALARM("CloudWatch, a metric that an alarm looks at", "month", 0.10, Source.CLOUDWATCH);

  private static final class Source {
    static final String API_GATEWAY = "https://aws.amazon.com/api-gateway/pricing/";
    static final String LAMBDA = "https://aws.amazon.com/lambda/pricing/";
    static final String DYNAMODB = "https://aws.amazon.com/dynamodb/pricing/on-demand/";
    static final String SECRETS_MANAGER = "https://aws.amazon.com/secrets-manager/pricing/";
    static final String CLOUDWATCH = "https://aws.amazon.com/cloudwatch/pricing/";
  }

  private final String what;
  private final String per;
  private final double dollars;
  private final String source;

  Price(String what, String per, double dollars, String source) {
    this.what = what;
    this.per = per;
    this.dollars = dollars;
    this.source = source;
  }

  String what() {
    return what;
  }

  /** The quantity that costs {@link #dollars}. */
  String per() {
    return per;
  }

  double dollars() {
    return dollars;
  }

  String source() {
    return source;
  }
}
