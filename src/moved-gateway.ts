throw new Error(
  'webmcp-forms/gateway moved to the package webmcp-gateway, and webmcp-forms/gateway/client to webmcp-forms/client. Change the import.',
);
