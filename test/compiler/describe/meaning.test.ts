import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { describeForm, synthesizeParameters } from '../../../src/compiler/index.js';
import type { ControlDescription } from '../../../src/compiler/description.js';
import { descendants } from '../../../src/compiler/tree.js';
import { parsePage, type Parse5Element } from '../../../src/parse5/parse5-tree.js';

function read(content: string) {
  const { document, tree } = parsePage(`<body><form toolname=t tooldescription=d>${content}</form>`);
  const isForm = (node: unknown): node is Parse5Element => (node as Parse5Element).tagName === 'form';
  return describeForm(tree, [...descendants(tree, document)].find(isForm) as Parse5Element).description;
}

const meaningOf = ({ trap, captcha, sensitive }: ControlDescription): string =>
  trap ? 'trap' : captcha ? 'captcha' : sensitive ? 'secret' : 'ordinary';

/** The meaning of the last control of a form, not counting buttons. */
const last = (content: string): string =>
  meaningOf(read(content).controls.findLast(({ type }) => type !== 'submit') as ControlDescription);

const traps = [
  '<input name=hp_email>',
  '<label>Leave this field empty <input name=website></label>',
  '<label>Bitte nicht ausfüllen <input name=url></label>',
  '<label>Ne pas remplir <input name=nom2></label>',
  '<div class=honeypot><label>Name <input name=n></label></div>',
  '<div style="display:none"><input name=fax></div>',
  '<div style="position:absolute;left:-5000px"><input name=b_12></div>',
  '<input name=company tabindex=-1 autocomplete=off>',
  '<p class=hidden><input name=company></p>',
];
const captchas = [
  '<label>Captcha <input name=c></label>',
  '<input name=captcha_code>',
  '<textarea name=g-recaptcha-response></textarea>',
  '<label>Enter the characters in the image <input name=c></label>',
  '<label>What is 3 + 4? <input name=c></label>',
  '<label>6 + = 12 <input name=c></label>',
  '<label>Zeichen im Bild <input name=c></label>',
  '<label>Код с картинки <input name=c></label>',
  '<label>Введите эти цифры <input name=c></label>',
  '<label>Recopiez le code <input name=c></label>',
  '<label>验证码 <input name=c></label>',
];
const secrets = [
  '<label>Card number <input name=n></label>',
  '<input name=ccNumber aria-label=Number>',
  '<label>Kartennummer <input name=n></label>',
  '<label>CVC <input name=n></label>',
  '<label>Card number <input name=n></label><label>Expires <select name=m><option>01</select></label>',
  '<label>Card number <input name=n></label><label>Security code <input name=m></label>',
  '<label>Card number <input name=n></label><label>Security code <input name=security_code maxlength=6></label>',
  '<label>One-time code <input name=n></label>',
  '<label>Slaptažodis <input name=n></label>',
  '<label>كلمة المرور <input name=n></label>',
  '<input name=login_psw aria-label=Again>',
  '<input name=security_key title="Increase your safety">',
  '<label>Card number <input name=n autocomplete="function (a) { return a; }"></label>',
  '<input name=otp aria-label=Code>',
  '<label>PIN <input name=n></label>',
  '<label>Social security number <input name=n></label>',
  '<label>CPF <input name=n></label>',
  '<label>Passwort <input name=n></label>',
  '<label>Again <input name=password2></label>',
  '<label>Again <input name=newpassword></label>',
  '<label>Contraseña <input name=n></label>',
  '<label>IBAN <input name=n></label><button>Pay</button>',
];
const ordinary = [
  '<div><textarea name=content style="display: none"></textarea><iframe title=Editor></iframe></div>',
  '<div class="u3bW4e"><div class="Xb9hP"><input aria-label=Email name=identifier></div></div>',
  '<label>Name <input name=n></label>',
  '<label hidden>Website <input name=website></label>',
  '<label>Honeymoon destination <input name=honeymoon></label>',
  '<label>Library card number <input name=n></label>',
  '<label>PIN code <input name=pincode></label>',
  '<label>Promo code <input name=code></label>',
  '<label>IBAN <input name=n></label><label>IBAN of the supplier <input name=m></label>',
  '<label>Password hint <input name=n></label>',
  '<label>Parola chiave <input name=n></label>',
  '<label>Date, such as 01-02-2016 <input name=n></label>',
  '<label>Expires <select name=m><option>01</select></label>',
  '<label>Card number <input name=n autocomplete=nickname></label>',
  '<label>Card number <input name=n toolparamdescription="The number of the member card."></label>',
  '<input name=hp_email toolparamdescription="The email address of the office.">',
  '<div style="display:none"><label>Fax <input name=fax></label></div>',
  '<input name=username tabindex=-1 autocomplete=off value=ann>',
];

describe('the meaning of a control', () => {
  for (const [meaning, list] of Object.entries({ trap: traps, captcha: captchas, secret: secrets, ordinary }))
    for (const content of list) it(`is ${meaning}: ${content}`, () => assert.equal(last(content), meaning));

  it('has evidence from the name, the label or the visibility', () => {
    const evidence = (content: string): string | undefined => read(content).controls[0]?.evidence;
    assert.equal(evidence('<input name=hp_email>'), 'its name is "hp_email"');
    assert.equal(evidence('<label>CVC <input name=n></label>'), 'its label is "CVC"');
    assert.equal(evidence('<div hidden><input name=fax></div>'), 'it is hidden and has no label');
  });

  it('excludes traps and captchas from precise and portable, and secrets unless they are included', () => {
    const form = read('<input name=hp_a><input name=captcha><input name=otp title=Code><input name=b title=B>');
    const names = (options: Parameters<typeof synthesizeParameters>[1]): readonly string[] =>
      synthesizeParameters(form, options).map(({ name }) => name);
    assert.deepEqual(names({ profile: 'precise' }), ['b']);
    assert.deepEqual(names({ profile: 'portable', sensitive: 'include' }), ['otp', 'b']);
    assert.deepEqual(names({ profile: 'chromium' }), ['hp_a', 'captcha', 'otp', 'b']);
  });

  it('is found in time that is linear in the form', () => {
    const many = '<div hidden><div><div><input name=a></div></div></div>'.repeat(5000);
    assert.equal(read(many).controls.filter(({ trap }) => trap).length, 5000);
    for (const text of ['3 + '.repeat(30_000), 'code '.repeat(30_000), 'leave '.repeat(30_000), '['.repeat(100_000)])
      assert.notEqual(last(`<label>${text}<input name=n></label>`), 'trap');
  });
});

it('a form has the captcha that a script loads into it', () => {
  assert.equal(read('<input name=a><div class="g-recaptcha" data-sitekey=k></div>').captcha, 'visible');
  assert.equal(read('<input name=a><div class=h-captcha data-size=invisible></div>').captcha, 'invisible');
  assert.equal(read('<input name=a><button class=g-recaptcha>Send</button>').captcha, 'invisible');
  assert.equal(read('<input name=a>').captcha, undefined);
});
