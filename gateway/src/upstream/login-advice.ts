/** How a caller or the operator gets a session that the page accepts. */
export const loginAdvice =
  "Call the site's login tool first, in the same session, or ask the operator of the gateway to configure a cookie or an authorization header of an account.";
