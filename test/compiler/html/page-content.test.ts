import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { corpus } from '../../corpus.mjs';
import type { PageContent } from '../../../src/compiler/html/page-content.js';
import { contentOf, type Answered } from '../../support/compiler/answers.js';

type Errors = Readonly<Record<string, string | readonly string[]>>;

/** The messages of errors by parameter. */
function errorsOf({ errors = [] }: PageContent): Errors {
  const byParameter = new Map<string, string[]>();
  for (const { parameter, message } of errors) {
    byParameter.set(parameter, [...(byParameter.get(parameter) ?? []), message]);
  }
  return Object.fromEntries(
    [...byParameter].map(([name, messages]) => [name, messages.length > 1 ? messages : messages.join()]),
  );
}

interface Case {
  readonly html: string;
  readonly errors?: Errors;
  readonly messages?: readonly string[];
}

const required = 'This field is required.';
const tooGreat = 'Ensure this value is less than or equal to 10.';
const bookErrors = {
  '': 'The book exists already.',
  ...{ title: required, pages: tooGreat, when_0: required, kind: required, ok: required },
};

interface SentPage extends Omit<Case, 'html'> {
  readonly start?: string;
  /** The call that the page answers. `NAME.before.html` is the previous page. */
  readonly call?: Answered;
}

/** Pages that Django 3.2, WordPress 6.1 and MediaWiki 1.39 have sent. */
const pages: Readonly<Record<string, SentPage>> = {
  'django-admin-add': {
    messages: ['Please correct the errors below.'],
    errors: {
      username: 'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.',
      password2: 'The two password fields didn’t match.',
    },
    start: 'Add user First, enter a username and password.',
  },
  'django-admin-login': {
    messages: [
      'Please enter the correct username and password for a staff account. Note that both fields may be case-sensitive.',
    ],
    start: 'Please enter the correct username',
  },
  'django-admin-saved': {
    messages: ['The group “Editors” was added successfully. You may edit it again below.'],
    start: 'Change group Editors\n- History\nName:',
  },
  'django-as_p': { errors: bookErrors },
  'django-as_table': { errors: bookErrors },
  'django-as_ul': { errors: bookErrors },
  'django-errors': { errors: { title: required, pages: tooGreat, '': 'The book exists already.' } },
  'django-formset': { errors: { '': 'Please submit at least 2 forms.', 'form-0-name': required } },
  'mediawiki-create-account': {
    errors: {
      '': 'There are problems with some of your input.',
      retype: 'The passwords you entered do not match.',
      email:
        'The email address cannot be accepted as it appears to have an invalid format. Please enter a well-formatted address or empty that field.',
    },
    start: 'Create account There are problems',
  },
  'mediawiki-edit': {
    messages: [
      "Sorry! We could not process your edit due to a loss of session data. You might have been logged out. Please verify that you're still logged in and try again. If it still does not work, try logging out and logging back in, and check that your browser allows cookies from this site.",
    ],
    call: { names: ['wpTextbox1', 'wpSummary', 'wpEditToken'], url: 'edit' },
    start: 'Editing Kettles Preview Sorry!',
  },
  'mediawiki-move': {
    errors: {
      '': 'The page could not be moved, for the following reason: The title is the same; cannot move a page over itself.',
    },
    call: { names: ['wpNewTitleMain', 'wpReason', 'wpEditToken'], url: 'move' },
  },
  'mediawiki-saved': { start: 'Kettles From Wiki Kettles. Your payment has failed. Order confirmed More' },
  'wordpress-quick-draft': { start: 'Title Content Your Recent Drafts\n- Quick' },
};

const cases: Readonly<Record<string, Case>> = {
  'aria-errormessage': {
    html: '<form><input name=a aria-invalid=true aria-errormessage=e aria-describedby=h><p id=h>Hint</p><p id=e>Too short</p></form>',
    errors: { a: 'Too short' },
  },
  'aria-describedby of an invalid control without its hint': {
    html: '<form><p id=a-hint>8 characters</p><input name=a aria-invalid=true aria-describedby="a-hint x"><p id=x>Too short</p></form>',
    errors: { a: 'Too short' },
  },
  'an invalid custom element': {
    html: '<form><textarea name=a aria-invalid=spelling aria-describedby=x></textarea><b id=x>Typo in “teh”</b></form>',
    errors: { a: 'Typo in “teh”' },
  },
  'Django 5 with as_div': {
    html: `<form><div><label for=id_t>Title:</label><div class=helptext id=id_t_helptext>As on the cover.</div>
      <ul class=errorlist id=id_t_error><li>This field is required.</li></ul>
      <input name=t aria-invalid=true aria-describedby="id_t_helptext id_t_error" id=id_t></div>
      <div><fieldset aria-describedby=id_k_error><legend>Kind:</legend><ul class=errorlist id=id_k_error><li>Choose one.</li></ul>
      <div id=id_k><div><label><input type=radio name=k value=a>A</label></div><div><label><input type=radio name=k value=b>B</label></div></div>
      </fieldset></div></form>`,
    errors: { t: required, k: 'Choose one.' },
  },
  'Django 5.0 without an ID of the list': {
    html: `<form><div><label for=id_t>Title:</label><div class=helptext id=id_t_helptext>As on the cover.</div>
      <ul class=errorlist><li>This field is required.</li></ul>
      <input name=t aria-invalid=true aria-describedby=id_t_helptext id=id_t></div></form>`,
    errors: { t: required },
  },
  Bootstrap: {
    html: `<form class="needs-validation"><div class=col><label for=a>City</label>
      <input class="form-control is-invalid" id=a name=city><div class=valid-feedback>Looks good!</div>
      <div class=invalid-feedback>Please provide a valid city.</div></div>
      <div class=col><div class="input-group has-validation"><span class=input-group-text>@</span>
      <input class="form-control is-invalid" name=user><div class=invalid-feedback>Please choose a username.</div></div></div>
      <div class=form-check><input class="form-check-input is-invalid" type=checkbox name=ok id=ok>
      <label class=form-check-label for=ok>Agree</label><div class=invalid-feedback>You must agree.</div></div></form>`,
    errors: { city: 'Please provide a valid city.', user: 'Please choose a username.', ok: 'You must agree.' },
  },
  'the feedback of Bootstrap that is not shown': {
    html: `<form class="needs-validation" novalidate><div><input class=form-control name=city>
      <div class=invalid-feedback>Please provide a valid city.</div></div></form>`,
  },
  Parsley: {
    html: `<form><label for=m>Mail</label><input id=m name=mail class=parsley-error aria-describedby=p-5 data-parsley-id=5>
      <ul class="parsley-errors-list filled" id=p-5 aria-hidden=false><li class=parsley-type>This value should be a valid email.</li></ul>
      <label for=n>Number</label><input id=n name=n data-parsley-id=7><ul class=parsley-errors-list id=p-7 aria-hidden=true></ul></form>`,
    errors: { mail: 'This value should be a valid email.' },
  },
  JustValidate: {
    html: `<form><label>Mail <input name=mail class=just-validate-error-field data-just-validate-fallback-disabled=false>
      <div class=just-validate-error-label id=just-validate-1>Email has invalid format</div></label><input name=pin></form>`,
    errors: { mail: 'Email has invalid format' },
  },
  'Laravel with @error': {
    html: `<form><label for=title>Post Title</label><input id=title type=text name=title class="is-invalid">
      <div class="alert alert-danger">The title field is required.</div>
      <label for=body>Body</label><textarea name=body></textarea></form>`,
    errors: { title: 'The title field is required.' },
  },
  'Laravel UI': {
    html: `<form><div class="row mb-3"><label for=email>Email Address</label><div class=col-md-6>
      <input id=email type=email class="form-control is-invalid" name=email value=x required>
      <span class=invalid-feedback role=alert><strong>These credentials do not match our records.</strong></span></div></div></form>`,
    errors: { email: 'These credentials do not match our records.' },
  },
  'the list of Laravel': {
    html: `<h1>Create Post</h1><div class="alert alert-danger"><strong>Whoops!</strong><ul><li>The title field is required.</li>
      <li>The body field is required.</li></ul></div><form><input name=title><textarea name=body></textarea></form>`,
    errors: { '': ['The title field is required.', 'The body field is required.'] },
    messages: ['Whoops!'],
  },
  'a message of Laravel': {
    html: '<div class="alert alert-success" role=alert>Post created.</div><form><input name=title></form>',
    messages: ['Post created.'],
  },
  'the form_div_layout of Symfony': {
    html: `<form name=task method=post><div id=task><ul><li>The task is closed.</li></ul>
      <div><label for=task_title class=required>Title</label><ul><li>This value should not be blank.</li></ul>
      <input type=text id=task_title name="task[title]" required></div>
      <div><label for=task_due>Due</label><input id=task_due name="task[due]"></div></div></form>`,
    errors: { '': 'The task is closed.', 'task[title]': 'This value should not be blank.' },
  },
  'the bootstrap_5_layout of Symfony': {
    html: `<form name=task><div class="alert alert-danger d-block">The CSRF token is invalid.</div><div class=mb-3>
      <label class="form-label required" for=task_title>Title</label><input id=task_title name="task[title]" class="form-control is-invalid">
      <div class="invalid-feedback d-block">This value should not be blank.</div></div></form>`,
    errors: { '': 'The CSRF token is invalid.', 'task[title]': 'This value should not be blank.' },
  },
  'a scaffold of Rails 6': {
    html: `<form action=/articles method=post><div id=error_explanation><h2>2 errors prohibited this article from being saved:</h2>
      <ul><li>Title can&#39;t be blank</li><li>The archive is closed</li></ul></div>
      <div class=field><div class=field_with_errors><label for=article_title>Title</label></div>
      <div class=field_with_errors><input type=text name="article[title]" id=article_title></div></div>
      <div class=field><label for=article_body>Body</label><textarea name="article[body]" id=article_body></textarea></div></form>`,
    messages: ['2 errors prohibited this article from being saved:'],
    errors: { 'article[title]': "Title can't be blank", '': 'The archive is closed' },
  },
  'a scaffold of Rails 7': {
    html: `<p style="color: green"></p><form action=/articles method=post><div style="color: red"><h2>1 error prohibited this article from being saved:</h2>
      <ul><li>Title can&#39;t be blank</li></ul></div><div>
      <div class=field_with_errors><label style="display: block" for=article_title>Title</label></div>
      <div class=field_with_errors><input type=text name="article[title]" id=article_title></div></div></form>`,
    messages: ['1 error prohibited this article from being saved:'],
    errors: { 'article[title]': "Title can't be blank" },
  },
  'the errors of Redmine and Rails 5 without a heading, in the form': {
    html: `<form action=/items method=post><div id=errorExplanation><ul><li>Subject cannot be blank</li></ul></div>
      <p><label for=s>Subject</label><input id=s name="issue[subject]"></p></form>`,
    errors: { '': 'Subject cannot be blank' },
  },
  'the errors of Rails 7 with field_with_errors, in the form': {
    html: `<form action=/items method=post><div id=error_explanation class=alert><ul><li>Title can&#39;t be blank</li></ul></div>
      <div class=field_with_errors><label for=t>Title</label></div><div class=field_with_errors><input id=t name="item[title]"></div></form>`,
    errors: { 'item[title]': "Title can't be blank" },
  },
  'the list of Laravel in the form': {
    html: `<form method=post><div class="alert alert-danger"><ul><li>The title field is required.</li></ul></div>
      <input name=title></form>`,
    errors: { '': 'The title field is required.' },
  },
  'an error summary in the form': {
    html: '<form method=post><div class=error-summary><ul><li>Title cannot be blank</li></ul></div><input name=title></form>',
    errors: { '': 'Title cannot be blank' },
  },
  'a message box of MediaWiki in the form': {
    html: `<form method=post><div class="mw-message-box-error mw-message-box"><p>Title cannot be blank</p></div><input name=title></form>
      <div class="mw-message-box-success mw-message-box">Your password has been changed.</div>`,
    errors: { '': 'Title cannot be blank' },
    messages: ['Your password has been changed.'],
  },
  'the errors of MediaWiki with OOUI': {
    html: `<form class="mw-htmlform mw-htmlform-ooui"><input type=hidden name=title value="Special:Block">
      <div class="mw-htmlform-ooui-header mw-htmlform-ooui-header-errors oo-ui-fieldLayout"><div class=oo-ui-fieldLayout-body>
      <div class=oo-ui-fieldLayout-field><div class=oo-ui-widget></div></div></div><div class=oo-ui-fieldLayout-messages>
      <div role=alert class="oo-ui-widget oo-ui-labelElement oo-ui-flaggedElement-error oo-ui-iconElement oo-ui-messageWidget"><span
      class="oo-ui-icon-error"></span><span class=oo-ui-labelElement-label>There are problems with some of your input.</span></div></div></div>
      ${['wpTarget', 'wpReason']
        .map(
          (
            name,
          ) => `<fieldset class=oo-ui-fieldsetLayout><div class=oo-ui-fieldLayout><div class=oo-ui-fieldLayout-body>
      <div class=oo-ui-fieldLayout-field><div class=oo-ui-textInputWidget><input name=${name}></div></div></div>
      <div class=oo-ui-fieldLayout-messages><div role=alert class="oo-ui-widget oo-ui-flaggedElement-error oo-ui-messageWidget"><span
      class=oo-ui-labelElement-label>This value is required.</span></div></div></div></fieldset>`,
        )
        .join('')}</form>`,
    errors: {
      '': 'There are problems with some of your input.',
      wpTarget: 'This value is required.',
      wpReason: 'This value is required.',
    },
  },
  'a message of Codex': {
    html: `<div class="cdx-message cdx-message--block cdx-message--error" aria-live=polite><span class=cdx-message__icon></span>
      <div class=cdx-message__content>You are blocked.</div></div><div class="cdx-message cdx-message--success">Unblocked.</div>`,
    errors: { '': 'You are blocked.' },
    messages: ['Unblocked.'],
  },
  'the conflict of an edit in MediaWiki': {
    html: `<div class=mw-body-content><div id=mw-content-text><form method=post id=editform><div class=mw-explainconflict><p>Someone else
      has changed this page since you started editing it.</p></div><textarea name=wpTextbox1></textarea></form></div></div>`,
    errors: { '': 'Someone else has changed this page since you started editing it.' },
  },
  'the results of Request Tracker, and not the row of a date': {
    html: `<div id=body><div class=results><div class="titlebox"><div class=titlebox-title><span class=left>Results</span></div>
      <div class=titlebox-content><ul class=action-results><li>Ticket 1: Update not recorded</li></ul></div></div></div>
      <div class="form-row date updated"><span class=label>Updated:</span> <span class=value>Thu Nov 26 06:32:08 2026 by ada</span></div></div>`,
    messages: ['Ticket 1: Update not recorded'],
  },
  'a notice of Rails': {
    html: '<p style="color: green">Article was successfully created.</p><p id=alert></p><p id=notice>Again.</p><div id=article_1><p>Title</p></div>',
    messages: ['Article was successfully created.', 'Again.'],
  },
  'the login of WordPress': {
    html: `<body class="login"><div id=login><h1><a>Powered by WordPress</a></h1>
      <div id=login_error>	<strong>Error:</strong> The username <strong>x</strong> is not registered on this site.<br /></div>
      <form name=loginform><p><label for=user_login>Username</label><input name=log id=user_login aria-describedby=login_error></p>
      <div class=user-pass-wrap><input type=password name=pwd id=user_pass aria-describedby=login_error></div></form></div>`,
    errors: { '': 'Error: The username x is not registered on this site.' },
  },
  'wp_die of WordPress': {
    html: `<body id="error-page"><div class="wp-die-message">Sorry, you are not allowed to upload this file type.</div>
      <p><a href='javascript:history.back()'>&laquo; Back</a></p></body>`,
    errors: { '': 'Sorry, you are not allowed to upload this file type.' },
  },
  'notices of WordPress': {
    html: `<div id=wpcontent><div id=wpadminbar class=nojs><a class="screen-reader-shortcut" href="#wp-toolbar">Skip to toolbar</a></div>
      <div id=wpbody role=main><div id=wpbody-content><div id=screen-meta><div id=contextual-help-wrap class="hidden no-sidebar">Help</div></div>
      <div class=wrap><h1>Add New User</h1><div class=error><ul><li><strong>Error:</strong> Please enter a username.</li></ul></div>
      <div id=message class="updated notice is-dismissible"><p>New user created.</p><button><span class="screen-reader-text">Dismiss</span></button></div>
      <div class="notice notice-error"><p>Please try again.</p></div>
      <div id=local-storage-notice class="hidden notice"><p>Backup</p></div>
      <form><table><tr class="form-field form-required form-invalid"><th><label for=user_login>Username</label></th>
      <td><input name=user_login id=user_login></td></tr></table></form></div></div></div></div>`,
    messages: ['New user created.'],
    errors: { '': ['Error: Please enter a username.', 'Please try again.'] },
  },
  'messages of DokuWiki': {
    html: `<div id=dokuwiki__site><div class=error>Sorry, username or password was wrong.</div><div class=success>Saved.</div>
      <div class=info>The page is read-only.</div><div class=notify>Check your mail.</div>
      <div id=dokuwiki__content><h1>Login</h1><form><input name=u></form></div></div>`,
    messages: ['Saved.', 'The page is read-only.', 'Check your mail.'],
    errors: { '': 'Sorry, username or password was wrong.' },
  },
  'the date input of GOV.UK with an error of the month': {
    html: `<form><div class="govuk-form-group govuk-form-group--error"><fieldset class=govuk-fieldset role=group aria-describedby="dob-hint dob-error">
      <legend>Date</legend><div id=dob-hint class=govuk-hint>31 3 1980</div>
      <p id=dob-error class=govuk-error-message><span class=govuk-visually-hidden>Error:</span> Enter a month</p>
      <div class=govuk-date-input id=dob><div class=govuk-date-input__item><div class=govuk-form-group><label>Day</label>
      <input class="govuk-input govuk-date-input__input" name=dob-day></div></div><div class=govuk-date-input__item>
      <div class=govuk-form-group><label>Month</label><input class="govuk-input govuk-input--error" name=dob-month></div></div></div>
      </fieldset></div></form>`,
    errors: { 'dob-month': 'Enter a month' },
  },
  'the error summary of GOV.UK': {
    html: `<div class=govuk-error-summary><div role=alert><h2 class=govuk-error-summary__title>There is a problem</h2>
      <ul class="govuk-list govuk-error-summary__list"><li><a href="#name">Enter your full name</a></li><li>The service is closed</li></ul>
      </div></div><form><input id=name name=full-name class=govuk-input></form>`,
    messages: ['There is a problem'],
    errors: { 'full-name': 'Enter your full name', '': 'The service is closed' },
  },
  'jQuery Validate': {
    html: '<form><label for=e>E-mail</label><input id=e name=e class=error><label id=e-error class=error for=e>Enter an e-mail.</label></form>',
    errors: { e: 'Enter an e-mail.' },
  },
  'live regions': {
    html: `<div aria-live=polite>Added to the cart.</div><div aria-live=off>Clock</div><div role=status></div>
      <div class=spinner-border role=status><span class=visually-hidden>Loading...</span></div><output>Your total is 5</output>
      <div role=alertdialog>Leave?</div><div class=visually-hidden role=status>3 results</div>`,
    messages: ['Added to the cart.', 'Your total is 5', 'Leave?', '3 results'],
  },
  'no other text': {
    html: `<main><article><p class=errors>About errors</p><div class="error">In an article</div></article>
      <form><p class=legend>* Required fields</p><p class=error>* Required fields</p>
      <p id=hint>At least 8 characters</p><input type=password name=p aria-describedby=hint aria-invalid=false>
      <label>Password</label><ul><li>No spaces</li></ul><input name=q id=q>
      <div hidden class=errorlist>Hidden</div><div style="display: none" role=alert>Hidden</div><template><p role=alert>Template</p></template>
      <div aria-hidden=true class=invalid-feedback>Hidden</div><input name=z aria-invalid="" aria-describedby=hint></form>
      <time class=updated>January 5</time><a class=alert-link>Link</a><pre><div class=error>Code</div></pre>
      <button class=notice>Button</button><nav class=flash></nav><details><summary>More</summary><p role=alert>Closed</p></details>
      <dialog><p role=alert>Closed</p></dialog><p class=error>404</p></main>`,
  },
  'long texts are no messages': { html: `<main><div role=alert>${'text '.repeat(1000)}</div></main>` },
  'messages with text of other languages': {
    html: `<form lang=ar dir=rtl><input name="البريد" class=is-invalid><div class=invalid-feedback>هذا الحقل مطلوب</div></form>
      <div role=status>保存しました</div>`,
    errors: { البريد: 'هذا الحقل مطلوب' },
    messages: ['保存しました'],
  },
};

describe('readPageContent, for messages and errors', () => {
  for (const [name, { html, errors = {}, messages = [] }] of Object.entries(cases)) {
    it(`reads ${name}`, () => {
      const content = contentOf(html);
      assert.deepEqual({ errors: errorsOf(content), messages: content.messages ?? [] }, { errors, messages });
    });
  }

  it('reads the errors of the components of GOV.UK, and no others', () => {
    const govuk = corpus().published.filter(({ name }) => name.startsWith('govuk'));
    const withErrors = govuk.filter(({ page }) => page.includes('class="govuk-error-message'));
    for (const { name, page } of govuk.filter(({ page }) => !/error/i.test(page))) {
      assert.deepEqual(errorsOf(contentOf(page)), {}, name);
    }
    for (const { name, page } of withErrors) {
      const { errors = [] } = contentOf(page);
      assert.equal(errors.length, page.split('class="govuk-error-message').length - 1, name);
      for (const { parameter, message } of errors) {
        assert.ok(page.includes(parameter ? ` name="${parameter}"` : 'form') && !message.startsWith('Error:'), name);
      }
    }
    assert.ok(withErrors.length > 50);
  });

  const spaces = ' '.repeat(1_000_000);
  for (const [name, html] of Object.entries({
    'a style of 1 MB': `<div style="color:red${spaces}x">No</div>`,
    'a class of 1 MB around 5,000 controls': `<form class="${'a-'.repeat(500_000)}"><p>${'<input>'.repeat(5000)}</form>`,
    '5,000 messages, each in a list, among 100,000 texts': `<ul>${'<li><p role=status>x</p></li>'.repeat(5000)}</ul>${'<p>x</p>'.repeat(100_000)}`,
    '5,000 messages among 100,000 texts of one element, deep in others': `${'<div>'.repeat(300)}<div>${'<p>x</p>'.repeat(100_000)}${'<p role=status>x</p>'.repeat(5000)}</div>`,
    'a text of 1 MB that 5,000 invalid controls refer to': `<form>${'<input aria-invalid=true aria-describedby=a>'.repeat(5000)}<p id=a>${'x '.repeat(500_000)}</form>`,
  })) {
    it(`reads a page with ${name} in linear time`, () => {
      const { errors, messages } = contentOf(html);
      assert.deepEqual([errors, messages], [undefined, undefined]);
    });
  }

  const folder = new URL('../../fixtures/page-content/', import.meta.url);
  const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
  const files = readdirSync(folder).sort();
  for (const file of files.filter((each) => !each.endsWith('.before.html'))) {
    it(`reads the page ${file}`, () => {
      const expected = pages[file.replace('.html', '')] ?? assert.fail('unknown');
      const { errors = {}, messages = [], start = '', call = {} } = expected;
      const before = file.replace('.html', '.before.html');
      const content = contentOf(read(file), { ...call, ...(files.includes(before) && { before: read(before) }) });
      assert.deepEqual({ errors: errorsOf(content), messages: content.messages ?? [] }, { errors, messages });
      assert.equal(content.text.slice(0, start.length), start);
    });
  }
});
