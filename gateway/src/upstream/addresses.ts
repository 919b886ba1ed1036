import { SubmissionError } from 'webmcp-forms/headless';

export { isLoopback, isPrivateHost, isPublicAddress } from 'webmcp-forms/headless';

export const privateAddressError = (): SubmissionError =>
  new SubmissionError(
    'upstream-refused-address',
    'The site has a private or loopback address. Allow private addresses with allowPrivateAddresses or --allow-private.',
  );
