/** The autofill fields with secret values. https://html.spec.whatwg.org/#autofill-field */
export const secretAutofill = /^(?:cc-.+|one-time-code|current-password|new-password)$/;
