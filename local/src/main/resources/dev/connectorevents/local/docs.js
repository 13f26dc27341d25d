SwaggerUIBundle({
  url: "openapi.yaml",
  dom_id: "#api",
  tryItOutEnabled: true,
  persistAuthorization: true,
  validatorUrl: null, // a service on the internet
});
