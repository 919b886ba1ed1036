/** https://webmachinelearning.github.io/webmcp/#dom-modelcontext-registertool */
export const toolNamePattern = /^[A-Za-z0-9_.-]{1,128}$/;
