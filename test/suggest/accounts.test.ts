import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { pageOf, suggestionOf, suggestionsOf, type Suggestion } from './suggested.js';

const summary = ({ confidence, sensitive, toolName }: Suggestion): readonly (string | undefined)[] => [
  toolName.value,
  sensitive,
  confidence,
];

const login = '<input name="u" type="email" aria-label="Email"><input name="p" type="password" aria-label="Password">';

/** Forms with the language of their page and the suggestion for them. */
const forms: readonly (readonly [title: string, language: string, body: string, ...expected: readonly unknown[]])[] = [
  [
    'a login below a heading that also names a registration',
    'en',
    `<h1>Login or create an account</h1><form method="post" action="/account/register-or-login">${login}<button>Login</button></form>`,
    'log_in',
    'login',
    'high',
  ],
  [
    'a login on a page for registrations',
    'en',
    `<title>Create your account</title><h1>Registration</h1><form method="post" id="login">${login}<button>Go</button></form>`,
    'log_in',
    'login',
    'high',
  ],
  [
    'a login beside a heading for registered customers',
    'fr',
    `<h2>Déjà inscrit ?</h2><form method="post">${login}<button>Connexion</button></form>`,
    'log_in',
    'login',
    'high',
  ],
  [
    'a login in Russian, below the links of a login and a registration',
    'ru',
    `<h3>Вход • Регистрация</h3><form method="post">${login}<button>Войти</button></form>`,
    'log_in',
    'login',
    'high',
  ],
  [
    'a login in Korean, whose password is on the next page',
    'ko',
    '<form method="post"><input name="user_id"><button>로그인</button></form>',
    'log_in',
    'login',
    'high',
  ],
  [
    'a registration in Polish',
    'pl',
    '<form method="post"><label>E-mail <input name="m"></label><label>Hasło <input type="password" name="a"></label><label>Powtórz hasło <input type="password" name="b"></label><button>Zarejestruj się</button></form>',
    'create_account',
    'sign-up',
    'high',
  ],
  [
    'a registration whose password is on the next page',
    'en',
    '<form method="post"><label>Username <input name="user"></label><label>Email <input type="email" name="mail"></label><button>Create new account</button></form>',
    'create_account',
    'sign-up',
    'high',
  ],
  [
    'a page of a registration with the conditions',
    'en',
    '<h1>Registration</h1><form method="post"><button name="agreed">I agree to these terms</button></form>',
    'continue_registration',
    'sign-up',
    'medium',
  ],
  [
    'a registration for an event, which does not create an account',
    'en',
    '<h1>Register for the webinar</h1><form method="post" action="/webinar"><label>Email <input type="email" name="mail"></label><button>Register</button></form>',
    'register',
    undefined,
    'medium',
  ],
  [
    'a newsletter whose button signs up',
    'en',
    '<form method="post" action="/email-signup"><label>Email for our newsletter <input type="email" name="mail"></label><button>Sign up</button></form>',
    'subscribe_newsletter',
    undefined,
    'high',
  ],
  [
    'a forgotten password in German',
    'de',
    '<h2>Passwort vergessen?</h2><form method="post"><label>E-Mail-Adresse <input type="email" name="m"></label><button>Absenden</button></form>',
    'request_password_reset',
    'password-reset',
    'high',
  ],
  [
    'a forgotten password in Japanese',
    'ja',
    '<h2>パスワード再発行</h2><form method="post"><label>メールアドレス <input name="userMail"></label><button>次へ</button></form>',
    'request_password_reset',
    'password-reset',
    'high',
  ],
  [
    'a forgotten password that only the path names',
    'en',
    '<form method="post" action="/customer/lostpassword"><label>Email <input type="email" name="m"></label><label>Repeat email <input type="email" name="n"></label><button>Continue</button></form>',
    'request_password_reset',
    'password-reset',
    'high',
  ],
  [
    'a forgotten password whose button names the login',
    'en',
    '<h1>Forgot your password?</h1><form method="post"><label>Email <input type="email" name="m"></label><button>Login</button></form>',
    'request_password_reset',
    'password-reset',
    'high',
  ],
];

describe('suggestAnnotations, for forms of accounts', () => {
  for (const [title, language, body, ...expected] of forms)
    it(`recognizes ${title}`, () => assert.deepEqual(summary(suggestionOf(body, language)), expected));

  it('names a form by the button that submits it, not by a button with its own formaction', () => {
    const { toolName, sensitive, toolDescription } = suggestionOf(
      '<form method="post" action="/orders"><label>Amount <input name="amount"></label><button formaction="/orders/delete">Delete draft</button><button>Create order</button></form>',
    );
    assert.deepEqual(
      [toolName.value, sensitive, toolDescription.value],
      ['create_order', undefined, 'Creates an order with the amount.'],
    );
  });

  it('does not recognize the search of a page for forgotten passwords as a request for one', () => {
    const [search, request] = suggestionsOf(
      pageOf(
        '<title>Forgot password</title><form action="/find"><input name="q"><button>Go</button></form><form method="post"><label>Email <input type="email" name="m"></label><button>Send</button></form>',
      ),
    );
    assert.deepEqual([search?.toolName.value, request?.toolName.value], ['search_site', 'request_password_reset']);
  });
});
