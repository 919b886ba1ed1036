import { type HttpErrors, SubmissionError } from 'webmcp-forms/headless';
import { loginAdvice } from '../gateway-error.js';

/** @param isPage - whether the page of a form is requested, before anything is submitted */
export const upstreamErrors = (isPage: boolean): HttpErrors => ({
  refusedAddress: () =>
    new SubmissionError(
      'upstream-refused-address',
      'The site has a private or loopback address. Allow private addresses with allowPrivateAddresses or --allow-private.',
    ),
  unreachable: (cause) => new SubmissionError('upstream-unreachable', 'The site is unreachable.', { cause }),
  broken: (cause) => new SubmissionError('upstream-broken', 'The response of the site was aborted.', { cause }),
  tooLarge: (bytes) =>
    new SubmissionError('upstream-too-large', `The response of the site is larger than ${bytes} bytes.`),
  tooManyRedirects: (redirects) =>
    new SubmissionError('redirect-limit', `The site redirects more than ${redirects} times.`),
  repeatedSubmission: () => new SubmissionError('redirect-limit', 'The site redirects a submission to an earlier URL.'),
  invalidRedirect: () => new SubmissionError('upstream-broken', 'The site redirects to an invalid URL.'),
  forbiddenRedirect(place) {
    const advice = isPage ? ` If it is a login: ${loginAdvice}` : '';
    return new SubmissionError('redirect-elsewhere', `The site redirects to ${place}, which is not allowed.${advice}`);
  },
});
