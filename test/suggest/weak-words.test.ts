import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { pageOf, suggestionOf, suggestionsOf } from './suggested.js';

const named = (body: string): readonly string[] => {
  const { toolName, toolDescription, confidence } = suggestionOf(body);
  return [toolName.value, toolDescription.value, confidence];
};

describe('suggestAnnotations, where the words near a form are not about it', () => {
  it('does not name a form after the record to which it adds something', () => {
    const form = '<form method="post" action="/tickets/7"><label>Note <textarea name="n"></textarea></label>';
    assert.deepEqual(named(`<h1>Kettle leaks</h1>${form}<button>Add</button></form>`), [
      'add_note',
      'Adds a note with the button "Add".',
      'medium',
    ]);
  });

  it('names a form by the last part of its path before the title of a record', () => {
    const [name] = named(
      '<h1>Kettle leaks</h1><form method="post" action="/tickets/7/comments"><input name="body"><button>Add</button></form>',
    );
    assert.equal(name, 'add_comment');
  });

  it('does not name a form after a heading that does not describe it, and quotes the heading', () => {
    const fields = '<label>Due <input name="due"></label><label>Queue <input name="queue"></label>';
    assert.deepEqual(named(`<h1>RT at a glance</h1><form method="post">${fields}<button>Create</button></form>`), [
      'create_item',
      'Submits the form "RT at a glance" with the due and queue and the button "Create".',
      'low',
    ]);
  });

  it('names a form after a heading that has the verb of its button or the words of its controls', () => {
    const form = (heading: string, name: string): string =>
      `<h2>${heading}</h2><form method="post"><label>Due <input name="${name}"></label><label>Queue <input name="b"></label><button>Create</button></form>`;
    assert.equal(named(form('Quick ticket creation', 'a'))[0], 'create_ticket');
    assert.equal(named(form('Milestone', 'milestone[due]'))[0], 'create_milestone');
    assert.equal(named(form('New milestone', 'a'))[0], 'create_new_milestone');
  });

  it('does not use the title of a record if a control has it as its value, or if it has a number', () => {
    const form = (title: string): string =>
      `<h1>${title}</h1><form method="post"><label>Title <input name="t" value="Kettle leaks"></label><label>Owner <input name="o"></label><button>Save</button></form>`;
    const expected = ['save_title_and_owner', 'Saves the title and owner.', 'low'];
    assert.deepEqual(named(form('Kettle leaks')), expected);
    assert.deepEqual(named(form('Issue #12: Kettle leaks')), expected);
  });

  it('does not name a form after a script such as main.php', () => {
    const [name] = named('<form method="post" action="/main.php"><input name="a1"><button>OK</button></form>');
    assert.equal(name, 'submit_form');
  });

  it('leaves honeypots out of names and descriptions', () => {
    const traps = [
      '<label>Leave this field blank <input name="url"></label>',
      '<label>Website <input name="honeypot"></label>',
      '<div style="position:absolute; left:-5000px"><input name="b_1" tabindex="-1"></div>',
    ];
    for (const trap of traps) {
      const { toolName, toolDescription, parameters } = suggestionOf(
        `<form method="post"><label>City <input name="c"></label>${trap}<button>Send</button></form>`,
      );
      assert.equal(toolName.value, 'submit_city', trap);
      assert.match(toolDescription.value, /^Submits the city\b(?! and)/, trap);
      assert.deepEqual(parameters, [], trap);
    }
  });
});

describe('the sentence that a page does not say what a form is for', () => {
  const field = '<label>With cheese <input name="a1"></label>';
  const descriptions = (page: string): readonly (string | undefined)[] =>
    suggestionsOf(page).map((each) => each?.toolDescription.value);

  it('is written if nothing on the page says so', () => {
    assert.deepEqual(descriptions(pageOf(`<form method="post">${field}<button>OK</button></form>`)), [
      'Submits the form with the field "With cheese". The page does not say what the form is for.',
    ]);
  });

  it('is left out for a page with a title, which is quoted', () => {
    assert.deepEqual(
      descriptions(pageOf(`<title>Your pizza</title><form method="post">${field}<button>OK</button></form>`)),
      ['Submits the form with the field "With cheese" on the page "Your pizza".'],
    );
  });

  it('is left out for a form with a title of its own, which is quoted', () => {
    assert.deepEqual(
      descriptions(
        pageOf('<h2>Notes</h2><form method="post"><label>Your city <input name="c"></label><button>OK</button></form>'),
      ),
      ['Submits the city in the form "Notes".'],
    );
  });

  it('is left out for a form whose button or path names the purpose', () => {
    const [button, path] = suggestionsOf(
      pageOf(
        '<form method="post"><label>Email address <input name="e"></label><button>Sign up</button></form><form method="post" action="/delivery"><label>With cheese <input name="a1"></label><button>OK</button></form>',
      ),
    );
    assert.equal(button?.toolDescription.value, 'Signs up with the email address.');
    assert.equal(path?.toolName.value, 'submit_delivery');
    assert.doesNotMatch(path.toolDescription.value, /does not say/);
  });

  it('is written for a form in a footer, which the title of the page does not describe', () => {
    const form = `<form method="post">${field}<button>OK</button></form>`;
    assert.match(
      descriptions(pageOf(`<title>Your pizza</title><footer>${form}</footer>`))[0] ?? '',
      /The page does not say what the form is for\.$/,
    );
  });
});

describe('the descriptions of the parts of a date', () => {
  const select = (name: string): string => `<select name="${name}"><option>1<option>2</select>`;
  const three = ['day', 'month', 'year'].map((part) => select(`b[${part}]`)).join(' / ');
  const labelled = ['Day', 'Month', 'Year'].map((part) => `<label>${part} <input name="${part}x"></label>`).join('');
  const places: Readonly<Record<string, string>> = {
    'a fieldset of selects': `<fieldset><legend>Date of birth</legend>${three}</fieldset>`,
    'a fieldset with a label for each part': `<fieldset><legend>Date of birth</legend>${labelled}</fieldset>`,
    'a text before the selects': `<p>Date of birth: ${three}</p>`,
    'a table cell before the selects': `<table><tr><td>Date of birth</td><td>${three}</td></tr></table>`,
    'a label of the first select': `<label for="d">Date of birth</label>${three.replace('<select', '<select id="d"')}`,
    'a label for none of the selects': `<label>Date of birth</label><div>${three}</div>`,
  };
  for (const [place, controls] of Object.entries(places)) {
    it(`name the date, from ${place}`, () => {
      const { parameters, toolDescription } = suggestionOf(
        `<form method="post"><label>Name <input name="n"></label>${controls}<button>Create order</button></form>`,
      );
      assert.deepEqual(
        parameters.map(({ description }) => description.value),
        ['Date of birth: day', 'Date of birth: month', 'Date of birth: year'],
      );
      assert.equal(toolDescription.value, 'Creates an order with the name and date of birth.');
    });
  }

  it('quote the labels of another language, or write the codes of the parts', () => {
    const form = (controls: string): string =>
      `<form method="post"><fieldset><legend>Geburtsdatum</legend>${controls}</fieldset><label>Ort <input name="o"></label><button>Absenden</button></form>`;
    const values = (controls: string): readonly string[] =>
      suggestionOf(form(controls), 'de').parameters.map(({ description }) => description.value);
    assert.deepEqual(
      values(['Tag', 'Monat', 'Jahr'].map((part) => `<label>${part} <input name="${part}"></label>`).join('')),
      ['Geburtsdatum: Tag', 'Geburtsdatum: Monat', 'Geburtsdatum: Jahr'],
    );
    assert.deepEqual(values(select('tag') + select('monat') + select('jahr')), [
      'Geburtsdatum: DD',
      'Geburtsdatum: MM',
      'Geburtsdatum: YYYY',
    ]);
  });
});
