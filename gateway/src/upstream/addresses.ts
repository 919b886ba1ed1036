import { GatewayError } from '../gateway-error.js';

export { isLoopback, isPrivateHost, isPublicAddress } from 'webmcp-forms/headless';

export const privateAddressError = (): GatewayError =>
  new GatewayError(
    'upstream-refused-address',
    'The site has a private or loopback address. Allow private addresses with allowPrivateAddresses or --allow-private.',
  );
