/** The result of one test of a suite. `exception` is the reason why another result is right here. */
export const resultOf = (name, isPassed, { details = '', exception } = {}) => ({
  name,
  outcome: isPassed ? 'passed' : exception ? 'exception' : 'failed',
  ...(!isPassed && { details, ...(exception && { exception }) }),
});

export const count = (results, outcome) => results.filter((each) => each.outcome === outcome).length;
