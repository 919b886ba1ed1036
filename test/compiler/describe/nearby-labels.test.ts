import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { describeForm, synthesizeParameters, type ProfileName } from '../../../src/compiler/index.js';
import { parsePage, type Parse5Element } from '../../../src/parse5/parse5-tree.js';
import { descendants } from '../../../src/compiler/tree.js';

/** The descriptions of a form's parameters, by name. */
function descriptions(content: string, profile: ProfileName = 'precise'): Record<string, string | undefined> {
  const { document, tree } = parsePage(`<body><form id=f toolname=t tooldescription=d>${content}</form>`);
  const isForm = (node: unknown): node is Parse5Element => (node as Parse5Element).tagName === 'form';
  const form = [...descendants(tree, document)].find(isForm) as Parse5Element;
  const parameters = synthesizeParameters(describeForm(tree, form).description, { profile });
  return Object.fromEntries(parameters.map(({ name, schema }) => [name, schema.description]));
}

const cases: readonly (readonly [title: string, content: string, expected: Record<string, string | undefined>])[] = [
  [
    'the cell before a control',
    '<table><tr><td>Name:<td><input name=a><tr><td>Town<td><input name=b></table>',
    { a: 'Name', b: 'Town' },
  ],
  [
    'the head of a column',
    '<table><tr><th>From<th>To<tr><td><input name=a><td><input name=b></table>',
    { a: 'From', b: 'To' },
  ],
  [
    'the text before a control in its line',
    '<p>Name <input name=a></p><p><b>Town:</b> <input name=b></p>',
    { a: 'Name', b: 'Town' },
  ],
  ['the line above a control', '<div>Name</div><div><input name=a></div>', { a: 'Name' }],
  ['a dt', '<dl><dt>Name<dd><input name=a><dt>Town<dd><input name=b></dl>', { a: 'Name', b: 'Town' }],
  ['a label without a control', '<div><label>Name</label><input name=a></div>', { a: 'Name' }],
  [
    'a label whose for attribute is the name of the control',
    '<label for=first>Name</label><p><p><p><input name=first>',
    { first: 'Name' },
  ],
  ['the text after a checkbox', '<input type=checkbox name=a> I agree to the terms', { a: 'I agree to the terms' }],
  [
    'the text before radio buttons, in the line above',
    '<div>Size</div><div><input type=radio name=a value=s> Small <input type=radio name=a value=l> Large</div>',
    { a: 'Size' },
  ],
  [
    'one text for the parts of a value',
    '<p>Phone <input name=a> - <input name=b></p>',
    { a: 'Phone (1/2)', b: 'Phone (2/2)' },
  ],
  ['the value of a text field that asks for one', '<input name=a value="Enter your town">', { a: 'Enter your town' }],
  [
    'the value that an event handler contains as a string',
    `<input name=a onfocus="fill(this, 'Your&#32;town')" value="Your town"><input name=b onfocus="if (this.value == 'Postcode') this.focus()">`,
    { a: 'Your town', b: 'Postcode' },
  ],
  [
    'the value that names an e-mail address, a login or a search',
    '<input name=a value="Votre e-mail"><input name=b value="Login"><input name=c value="Search here">',
    { a: 'Votre e-mail', b: 'Login', c: 'Search here' },
  ],
  ['not the value that has an address', '<input name=a value="e-mail@example.com">', { a: undefined }],
  ['the alternative text of a text field', '<input name=a alt="Reference number">', { a: 'Reference number' }],
  ['not the value of a text field that is data', '<input name=a value="Main Street">', { a: undefined }],
  [
    'the cell beside a checkbox',
    '<table><tr><td>Newsletter<td><input type=checkbox name=a></table>',
    { a: 'Newsletter' },
  ],
  [
    'the label without a control at the end of the line above',
    '<label>Name <input name=a></label><label>Born</label><div><input name=b></div>',
    { a: 'Name', b: 'Born' },
  ],
  [
    'not the label of more fields than a value has parts',
    `Name ${'<input name=a>'.repeat(20)}`,
    { a: 'One value for each of 20 controls.' },
  ],
  [
    'the text beside a control inside or outside of its form',
    '<p>Name <input name=a></p></form><p>Town <input name=b form=f></p>',
    { a: 'Name', b: 'Town' },
  ],
  [
    'the prompt of a select',
    '<select name=a><option value="">Choose a town<option>Bern</select>',
    { a: 'Choose a town' },
  ],
  [
    'the label of the optgroup of an empty first option',
    '<select name=a><optgroup label="Choose a town"><option value=""></optgroup><optgroup label=Bern><option>Wabern</optgroup></select>',
    { a: 'Choose a town' },
  ],
  [
    'the first option, if it stands for all options',
    '<select name=a><option value=home>All categories<option>Books</select>',
    { a: 'All categories' },
  ],
  [
    'the button of the only field, if that is for a search',
    '<input name=q><button>Find a shop</button>',
    { q: 'Find a shop' },
  ],
  [
    'the button of the only text field, beside a select',
    '<input name=q><select name=a><option>Books</select><button>Find</button>',
    { q: 'Find', a: undefined },
  ],
  ['the word "Search", for an image button', '<input name=q><input type=image src=go.png>', { q: 'Search' }],
  [
    'the word "Search", for a search without a button',
    '<p><input name=a><input type=search name=b></p>',
    { a: undefined, b: 'Search' },
  ],
  ['not the button of another field', '<input name=a><button>Find a shop</button>', { a: undefined }],
  [
    'the label at the same position, if as many labels as controls are in the line',
    '<p><label>Phone</label> <label>Fax</label> <input name=a> <input name=b></p>',
    { a: 'Phone', b: 'Fax' },
  ],
  [
    'not a label before the label of another control',
    '<p><label>Phone</label><label>Fax</label><input name=a><input name=b><input name=c></p>',
    { a: undefined, b: undefined, c: undefined },
  ],
  [
    'a label without a control after a checkbox and a space',
    '<div><input type=checkbox name=a> <label>I agree</label></div>',
    { a: 'I agree' },
  ],
  [
    'the label of a hidden control in the line after a checkbox',
    '<div><input type=hidden id=h name=h><div><input type=checkbox name=a> </div><div><label for=h>No letters</label></div></div>',
    { a: 'No letters' },
  ],
  [
    'one text for the ends of a range',
    '<p>Price <input name=a> to: <input name=b></p>',
    { a: 'Price (1/2)', b: 'Price (2/2)' },
  ],
  [
    'the label that begins with a word of a range',
    '<p>From <input name=a> To <input name=b></p>',
    { a: 'From', b: 'To' },
  ],
  [
    'the cell before a checkbox, and not the sentence below it',
    '<table><tr><td>Newsletter<td><p><input type=checkbox name=a> </p><p>We send at most two letters each month to you.</p></table>',
    { a: 'Newsletter' },
  ],
  [
    'not the text above the label of another control',
    '<p>Choose two questions</p><p><label for=first>First</label> <input id=first name=a> <input name=b></p>',
    { a: 'First', b: undefined },
  ],
  [
    'the text after each checkbox, before another field and a button',
    '<p><input type=checkbox name=a><label for=x>News</label> <input type=checkbox name=b><label for=y>Offers</label> <input name=c> <button>Send</button></p>',
    { a: 'News', b: 'Offers', c: undefined },
  ],
  [
    'a label without a number, if the second field is a password',
    '<p>Login <input name=a> <input type=password name=b></p>',
    { a: 'Login' },
  ],
  ['not a word of a button', '<p>Go <input name=a></p>', { a: undefined }],
  [
    'the text before an example in another language',
    '<p>Nom <input name=a placeholder="p. ex. Dupont"></p><p>名 <input name=b placeholder="例：太郎"></p>',
    { a: 'Nom', b: '名' },
  ],
  ['the rest of the value, after an ellipsis', '<p><input name=a> @example.com</p>', { a: '…@example.com' }],
  [
    'the only title above a cell that is alone in its row',
    '<table><tr><th colspan=2>Town<th><tr><td colspan=2><input name=a><tr><th colspan=2>Size<th><tr><td colspan=2><input name=b></table>',
    { a: 'Town', b: 'Size' },
  ],
  [
    'the heading of a section with one field, before the prompt of a select',
    '<h3>You</h3><label>Name <input name=a></label><h3>Account type</h3><p><select name=b><option value="">Choose one<option>Basic</select></p>',
    { a: 'Name', b: 'Account type' },
  ],
  ['not the heading of the whole form', '<h3>Newsletter</h3><input name=a>', { a: undefined }],
  [
    'the heading of a section with the choices of one question',
    '<h3>You</h3><label>Name <input name=a></label><h3>Size</h3><p><label><input type=radio name=b value=s> Small</label></p><p><label><input type=radio name=b value=l> Large</label></p>',
    { a: 'Name', b: 'Size' },
  ],
  [
    'not a text about several controls',
    '<p>Name and town<br><input name=a><br><input name=b></p>',
    { a: undefined, b: undefined },
  ],
  [
    'not a sentence',
    '<p>Please tell us as much as you can about your journey to us.</p><p><input name=a></p>',
    { a: undefined },
  ],
  ['not a link', '<p><a href=/>Home</a> <input name=a></p>', { a: undefined }],
  ['not a text of excluded content', '<div data-webmcp-ignore>Name</div><div><input name=a></div>', { a: undefined }],
  ['not a text of an article of a visitor', '<article><p>Name</p></article><p><input name=a></p>', { a: undefined }],
  ['not a hint before the label', '<p>Name</p><p>(required)</p><p><input name=a></p>', { a: 'Name' }],
  [
    'not a text that already describes another control',
    '<p id=h>At least a word.</p><p><input name=a></p><input name=b aria-label=B aria-describedby=h>',
    { a: undefined, b: 'B. At least a word.' },
  ],
  [
    'the label beside a placeholder or title that only states whether a value is required',
    '<p>Company <input name=a placeholder="(optional)"></p><p>Straße <input name=b title=Pflichtfeld></p>',
    { a: 'Company', b: 'Straße' },
  ],
  [
    'not the remark about required fields above a control',
    '<p>* Pflichtfelder</p><p><input name=a></p>',
    { a: undefined },
  ],
  [
    'the label beside a title that another control has too',
    '<p><label for=x>State</label> <input name=a title=State></p><p><label for=y>Country</label> <input name=b title=State></p>',
    { a: 'State', b: 'Country' },
  ],
  [
    'the label beside a title that is the name of another control',
    '<p><input name=address2 title=Street></p><p>E-mail <input name=b title=address2></p>',
    { address2: 'Street', b: 'E-mail' },
  ],
  [
    'the title of a control, if no other control has it',
    '<p>Here <input name=a title=Street></p><p>There <input name=b title=Town></p>',
    { a: 'Street', b: 'Town' },
  ],
  [
    'a label whose for attribute is the name of the control, before a title',
    '<label for=a>Town</label><p><p><p><input name=a title="The town where you live">',
    { a: 'Town' },
  ],
  [
    'the label of radio buttons without their ID, before the legend of a form with controls of other types',
    '<fieldset><legend>Review</legend><input name=b aria-label=Text><p><label for=x>Rating</label></p><p><label><input type=radio name=a value=1> Bad</label> <label><input type=radio name=a value=2> Good</label></p></fieldset>',
    { b: 'Text', a: 'Rating' },
  ],
  [
    'the legend of radio buttons, before a label in the same group',
    '<fieldset><legend>Rating</legend><p><label for=x>Choose carefully</label></p><p><label><input type=radio name=a value=1> Bad</label> <label><input type=radio name=a value=2> Good</label></p></fieldset>',
    { a: 'Rating' },
  ],
  [
    'the label or legend of a date before the formats of its parts',
    '<p>Born <input name=a placeholder=YYYY></p><fieldset><legend>Since</legend><p><input name=b placeholder=TT><p><input name=c placeholder=JJJJ></fieldset>',
    { a: 'Born: YYYY', b: 'Since: TT', c: 'Since: JJJJ' },
  ],
  [
    'the question before the short labels of checkboxes with several names',
    '<table><tr><td>Service:<td><label><input type=checkbox name=a> Custody</label><br><label><input type=checkbox name=b> Funds</label><tr><td>E-mail<td><input name=c></table>',
    { a: 'Service: Custody', b: 'Service: Funds', c: 'E-mail' },
  ],
  [
    'the legend before the short labels of checkboxes with several names',
    '<fieldset><legend>Service</legend><label><input type=checkbox name=a> Custody</label><label><input type=checkbox name=b> Funds</label></fieldset>',
    { a: 'Service: Custody', b: 'Service: Funds' },
  ],
  [
    'not a question before or after a long label',
    '<div><label>Service</label></div><div><label><input type=checkbox name=a> I agree to the terms of service</label></div><div><label><input type=checkbox name=b> Funds</label></div>',
    { a: 'I agree to the terms of service', b: 'Funds' },
  ],
  [
    'the label before a placeholder that is an example',
    '<p>Born <input name=a placeholder="dd.mm.yyyy"></p>',
    { a: 'Born' },
  ],
];

describe('the text that a person reads as the label of a control', () => {
  for (const [title, content, expected] of cases)
    it(`is ${title}`, () => assert.deepEqual(descriptions(content), expected));

  it('is not used by the profile chromium', () => {
    assert.deepEqual(descriptions('<p>Name <input name=a></p>', 'chromium'), { a: undefined });
  });
});

describe('the legend or heading of a control', () => {
  it('is added if another control has the same label', () => {
    const field = (name: string): string => `<label>Street <input name=${name}></label>`;
    const groups = `<fieldset><legend>Shipping</legend>${field('a')}</fieldset><fieldset><legend>Billing</legend>${field('b')}</fieldset>`;
    assert.deepEqual(descriptions(groups), { a: 'Shipping: Street', b: 'Billing: Street' });
    assert.deepEqual(descriptions(`<h3>Shipping</h3>${field('a')}<h3>Billing</h3>${field('b')}`), {
      a: 'Shipping: Street',
      b: 'Billing: Street',
    });
  });

  it('does not contain the label of a control inside the legend or heading', () => {
    const field = (name: string): string => `<label>Street <input name=${name}></label>`;
    const more = '<label><input type=checkbox name=c> The same address as above</label>';
    const expected = { a: 'Shipping: Street', c: 'The same address as above', b: 'Billing: Street' };
    assert.deepEqual(descriptions(`<h3>Shipping</h3>${field('a')}<h3>Billing ${more}</h3>${field('b')}`), expected);
    const group = (legend: string, name: string): string =>
      `<fieldset><legend>${legend}</legend>${field(name)}</fieldset>`;
    assert.deepEqual(descriptions(group('Shipping', 'a') + group(`Billing ${more}`, 'b')), expected);
    const labels = group('<label>Shipping</label>', 'a') + group('<label>Billing</label>', 'b');
    assert.deepEqual(descriptions(labels), { a: 'Shipping: Street', b: 'Billing: Street' });
  });

  it('is not added if the controls share it, or to a control that the author describes', () => {
    const field = (name: string, more = ''): string => `<label>Street <input name=${name} ${more}></label>`;
    assert.deepEqual(descriptions(`<h3>Address</h3>${field('a')}${field('b')}`), { a: 'Street', b: 'Street' });
    const annotated = `<h3>Shipping</h3>${field('a', 'toolparamdescription=Own')}<h3>Billing</h3>${field('b')}`;
    assert.deepEqual(descriptions(annotated), { a: 'Own', b: 'Billing: Street' });
  });
});

it('the name of a control is aria-labelledby, then aria-label, then its label', () => {
  const all = '<span id=i>By ID</span><label>Label <input name=a aria-label=ARIA aria-labelledby=i></label>';
  assert.deepEqual(descriptions(all), { a: 'By ID' });
  assert.deepEqual(descriptions('<label>Label <input name=a aria-label=ARIA></label>'), { a: 'ARIA' });
  assert.deepEqual(descriptions('<label>Label <input name=a title=Title></label>'), { a: 'Label' });
});
