/** Type tests of annotations and elements in React. This file is compiled, and never run. */
import type {} from '../../elements/jsx.js';

export const form = (
  <form toolname="book" tooldescription="Books." toolautosubmit="" data-webmcp-response="fetch">
    <fieldset toolparamdescription="Where">
      <input name="a" toolparamdescription="A" />
      <select name="b" toolparamdescription="B">
        <option toolparamdescription="One">1</option>
      </select>
      <textarea name="c" data-toolparamdescription="C" />
    </fieldset>
  </form>
);

export const elements = (
  <>
    <webmcp-tool name="t" description="d" for="f" readonly-hint ontoolcall={(event) => event.respondWith(event.input)}>
      <webmcp-param name="p" type="integer" required minimum={1} enum="1, 2" />
    </webmcp-tool>
    <webmcp-tool src="/tools/" version="1.2.0" hash="sha256-" config={{}} onwebmcp-ready={({ target }) => target} />
    <webmcp-review placement="corner" className="review" />
    <webmcp-inspector tool="t" tab="schema" hide-log source={document.modelContext} />
  </>
);

// @ts-expect-error -- not a string
export const wrong = <form toolname={1} />;
// @ts-expect-error -- React leaves out an attribute with the value true
export const silent = <form toolautosubmit />;
// @ts-expect-error -- only forms are tools
export const misplaced = <input toolname="t" />;
// @ts-expect-error -- an unknown value
export const unknown = <form data-webmcp-response="later" />;
