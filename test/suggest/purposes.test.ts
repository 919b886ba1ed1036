import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { pageOf, problemsOf, suggestionOf, type Suggestion } from './suggested.js';

const summary = ({ confidence, toolName, toolDescription, autosubmit, sensitive }: Suggestion): readonly string[] => [
  `${confidence}${sensitive ? `, ${sensitive}` : ''}${autosubmit ? ', autosubmit' : ''}`,
  toolName.value,
  toolDescription.value,
];

/** Forms of English pages with the suggestion for them. */
const forms: readonly (readonly [title: string, body: string, ...expected: readonly string[]])[] = [
  [
    'a search in a header',
    '<header><form action="/search"><input name="q" type="search" aria-label="Search"><button>Search</button></form></header>',
    'high, autosubmit',
    'search_site',
    'Searches the site for the given words and shows the results.',
  ],
  [
    'a search that names its object in the placeholder',
    '<form action="/products" method="get"><input name="q" placeholder="Search products..."><button><i class="icon"></i></button></form>',
    'high, autosubmit',
    'search_products',
    'Searches for products with the given words and shows the results.',
  ],
  [
    'a search with several fields',
    '<h1>Flights</h1><form action="/flights"><label>From <input name="from"></label><label>To <input name="to"></label><button>Search flights</button></form>',
    'high, autosubmit',
    'search_flights',
    'Searches for flights by "From" and "To" and shows the results.',
  ],
  [
    'a search with the method POST, which is not submitted',
    '<form method="post" action="/search"><input name="q" aria-label="Search"><button>Search</button></form>',
    'high',
    'search_site',
    'Searches the site for the given words and shows the results.',
  ],
  [
    'filters',
    '<h1>Products</h1><form method="get"><label>Category <select name="category"><option>Books<option>Music</select></label><label>Maximum price <input type="number" name="max"></label><button>Filter</button></form>',
    'high, autosubmit',
    'filter_products',
    'Filters the products by category and maximum price and shows those that match.',
  ],
  [
    'a contact form',
    '<h1>Contact us</h1><form method="post"><label>Name <input name="name"></label><label>Email <input type="email" name="email"></label><label>Message <textarea name="message"></textarea></label><button>Send</button></form>',
    'high',
    'send_message',
    'Sends a message through the contact form with the name and email of the sender.',
  ],
  [
    'a newsletter',
    '<footer><h4>Newsletter</h4><form method="post"><input type="email" name="email" placeholder="you@example.com"><button>Subscribe</button></form></footer>',
    'high',
    'subscribe_newsletter',
    'Subscribes to the newsletter with an email address.',
  ],
  [
    'settings',
    '<h1>Settings</h1><section><h2>Notification preferences</h2><form method="post"><label>Email frequency <select name="f"><option>daily<option>weekly</select></label><button>Save changes</button></form></section>',
    'high',
    'save_notification_preferences',
    'Saves the notification preferences with the email frequency.',
  ],
  [
    'a comment',
    '<h2>Leave a comment</h2><form method="post"><label>Name <input name="author"></label><label>Comment <textarea name="comment"></textarea></label><button>Post comment</button></form>',
    'high',
    'post_comment',
    'Posts a comment with the name of the author.',
  ],
  [
    'a booking',
    '<form method="post"><label>Date <input type="date" name="date"></label><label>Guests <input type="number" name="guests"></label><button>Book a table</button></form>',
    'high',
    'book_table',
    'Books a table with the date and guests.',
  ],
  [
    'an upload',
    '<form method="post" enctype="multipart/form-data"><label>Photo <input type="file" name="f"></label><button>Upload</button></form>',
    'high',
    'upload_photo',
    "Uploads a photo from the user's device.",
  ],
  [
    'a step of several',
    '<h1>Apply for a passport</h1><h2>Step 2 of 4: Your address</h2><form method="post"><label>Street <input name="street"></label><label>Town <input name="town"></label><button>Continue</button></form>',
    'high',
    'submit_address',
    'Submits the address with the street and town.',
  ],
  [
    'a question',
    '<form method="post"><fieldset><legend><h1>What is your nationality?</h1></legend><label><input type="radio" name="n" value="b"> British</label><label><input type="radio" name="n" value="i"> Irish</label></fieldset><button>Continue</button></form>',
    'high',
    'answer_nationality',
    'Answers the question "What is your nationality?".',
  ],
  [
    'a heading that addresses the user',
    '<h1>Tell us what you think</h1><form method="post"><label>Rating <input type="number" name="rating"></label><label>Feedback <textarea name="feedback"></textarea></label><button>Submit</button></form>',
    'low',
    'submit_rating_and_feedback',
    'Submits the form "Tell us what you think" with the rating and feedback.',
  ],
  [
    'a button with a verb alone',
    '<h1>Mortgage calculator</h1><form><label>Amount <input name="amount" type="number"></label><label>Years <input name="years" type="number"></label><button>Calculate</button></form>',
    'high',
    'calculate_mortgage',
    'Calculates the mortgage with the amount and years.',
  ],
  [
    'a cart',
    '<form method="post" action="/cart"><label>Quantity <input type="number" name="qty"></label><button>Add to cart</button></form>',
    'high',
    'add_to_cart',
    'Adds the product to the cart with the quantity.',
  ],
  [
    'a forgotten password',
    '<h1>Forgot your password?</h1><form method="post"><label>Email address <input type="email" name="email"></label><button>Send link</button></form>',
    'high, password-reset',
    'request_password_reset',
    'Requests a password reset for the account with the given email address.',
  ],
  [
    'a logout',
    '<form method="post" action="/logout"><input type="hidden" name="csrf" value="x"><button>Log out</button></form>',
    'high',
    'log_out',
    'Logs the user out.',
  ],
  [
    'a switch of the language',
    '<footer><form action="/set"><select name="lang" aria-label="Language"><option value="en">English<option value="de">Deutsch</select><button>Go</button></form></footer>',
    'high',
    'switch_language',
    'Shows the site in the chosen language.',
  ],
  [
    'a form of which only the fields are known, without inventing a purpose',
    '<form method="post"><label>Weight <input name="w"></label><label>Height <input name="h"></label><button>OK</button></form>',
    'low',
    'submit_weight_and_height',
    'Submits the weight and height. The page does not say what the form is for.',
  ],
  [
    'a form of which only the path is known',
    '<form method="post" action="/edit/comment"><input name="t1"><button>OK</button></form>',
    'low',
    'edit_comment',
    'Submits the form with the button "OK".',
  ],
  [
    'a form of which nothing is known',
    '<form method="post"><input name="a1"><button><img src="x.png"></button></form>',
    'low',
    'submit_form',
    'Submits the form. The page does not say what the form is for.',
  ],
];

/** Forms with strings that are quoted, because no sentence can be made of them. */
const quotedForms: typeof forms = [
  [
    'a label that is not a noun phrase',
    '<form method="post"><label>With extra cheese <input name="a1"></label><button>Continue</button></form>',
    'low',
    'submit_form',
    'Submits the form with the field "With extra cheese". The page does not say what the form is for.',
  ],
  [
    'a label that is a sentence, beside a noun',
    '<form method="post"><label>Name <input name="n"></label><label>Where we can reach you <input name="w"></label><button>Send</button></form>',
    'low',
    'submit_form',
    'Submits the form with the fields "Name" and "Where we can reach you". The page does not say what the form is for.',
  ],
  [
    'a title that is a sentence',
    '<h1>Your answer affects other sections</h1><form method="post"><button>Continue to other sections</button></form>',
    'low',
    'submit_form',
    'Submits the form "Your answer affects other sections" with the button "Continue to other sections".',
  ],
  [
    'a button whose words after the verb are not a noun',
    '<form method="post"><button>Start now button</button></form>',
    'low',
    'submit_form',
    'Submits the form with the button "Start now button".',
  ],
  [
    'choices without a legend, of which none is the subject',
    '<form method="post"><label><input type="radio" name="r1" value="r"> Red</label><label><input type="radio" name="r1" value="g"> Green</label><button>Save and continue</button></form>',
    'low',
    'submit_choice',
    'Submits a choice of "Red" and "Green" with the button "Save and continue".',
  ],
  [
    'checkboxes of different names that answer one question',
    '<form method="post"><fieldset><legend>What is your nationality?</legend><label><input type="checkbox" name="british"> British</label><label><input type="checkbox" name="irish"> Irish</label></fieldset><button>Continue</button></form>',
    'high',
    'answer_nationality',
    'Answers the question "What is your nationality?".',
  ],
  [
    'a question without a noun for its subject',
    '<form method="post"><fieldset><legend>How do you want to sign in?</legend><label><input type="radio" name="gov" value="g"> With an account</label><label><input type="radio" name="gov" value="v"> As a guest</label></fieldset><button>Continue</button></form>',
    'high',
    'answer_question',
    'Answers the question "How do you want to sign in?".',
  ],
  [
    'the parts of a date',
    '<form method="post"><label>Day <input name="d"></label><label>Month <input name="m"></label><label>Year <input name="y"></label><button>Continue</button></form>',
    'low',
    'submit_date',
    'Submits the day, month and year. The page does not say what the form is for.',
  ],
  [
    'the two ends of a range',
    '<form method="post"><label>Appointment date start <input name="a"></label><label>Appointment date end <input name="b"></label><button>Continue</button></form>',
    'low',
    'submit_appointment_dates',
    'Submits the appointment date start and appointment date end. The page does not say what the form is for.',
  ],
  [
    'a noun that is too long for a name, of which the head is left',
    '<form method="post"><label>Preferred programming language <input name="n"></label><button>Continue</button></form>',
    'low',
    'submit_programming_language',
    'Submits the preferred programming language. The page does not say what the form is for.',
  ],
  [
    'a noun that fits into a name after a shorter verb',
    '<form method="post"><label>National Insurance number <input name="n"></label><button>Continue</button></form>',
    'low',
    'send_national_insurance_number',
    'Submits the National Insurance number. The page does not say what the form is for.',
  ],
  [
    'a question with an empty noun',
    '<form method="post"><label>Which option? <input name="a"></label><button>Continue</button></form>',
    'high',
    'answer_question',
    'Answers the question "Which option?".',
  ],
  [
    'a field that is named after its element',
    '<form method="post"><label>Textarea <textarea name="t"></textarea></label><button>Continue</button></form>',
    'low',
    'submit_form',
    'Submits the form with the field "Textarea". The page does not say what the form is for.',
  ],
  [
    'a button with the verb of the sentence, where the name says as much',
    '<main><h1>Send a manuscript</h1><form method="post"><input type="hidden" name="t"><button>Send</button></form></main>',
    'high',
    'send_manuscript',
    'Sends a manuscript with the button "Send".',
  ],
  [
    'a registration for an unknown service',
    '<form method="post"><label>Email address <input name="email"></label><button>Sign up</button></form>',
    'low',
    'sign_up',
    'Signs up with the email address.',
  ],
  [
    'a form without a name on its controls, which is a finding of lint and no doubt about the purpose',
    '<form method="post"><h2>Contact us</h2><label>Email <input type="email"></label><label>Message <textarea></textarea></label><button>Send</button></form>',
    'high',
    'send_message',
    'Sends a message through the contact form with the email of the sender.',
  ],
];

/** Forms that a person should submit. */
const sensitiveForms: typeof forms = [
  [
    'a login',
    '<form method="post"><label>Email <input type="email" name="e"></label><label>Password <input type="password" name="p"></label><button>Sign in</button></form>',
    'high, login',
    'log_in',
    'Logs the user in to an account with the email. The user enters the password.',
  ],
  [
    'a registration, whose password the user chooses',
    '<form method="post"><label>Email <input type="email" name="e"></label><label>Password <input type="password" name="p" autocomplete="new-password"></label><button>Sign up</button></form>',
    'high, sign-up',
    'create_account',
    'Creates an account with the email. The user chooses the password.',
  ],
  [
    'a checkout',
    '<h1>Checkout</h1><form method="post"><label>Full name <input name="n"></label><label>Card number <input name="c" autocomplete="cc-number"></label><button>Place order</button></form>',
    'high, payment',
    'place_order',
    'Places an order with the full name. The user enters the payment data.',
  ],
  [
    'the number of a card, without inventing a payment',
    '<form method="post"><label>Nickname <input name="n"></label><label>Card number <input name="card_number"></label><button>Continue</button></form>',
    'low, payment',
    'submit_form',
    'Submits the nickname and card number. The page does not say what the form is for.',
  ],
  [
    'a change of the password',
    '<form method="post"><label>Current password <input type="password" name="a"></label><label>New password <input type="password" name="b"></label><button>Save</button></form>',
    'high, password-change',
    'change_password',
    'Changes the password of the account.',
  ],
  [
    'a deletion by its button',
    '<form method="post"><button>Delete my account</button></form>',
    'high, deletion',
    'delete_account',
    'Deletes the account with the button "Delete my account".',
  ],
  [
    'an answer to a question about a deletion',
    '<p>Are you sure you want to delete the book "Emma"?</p><form method="post"><input type="hidden" name="post" value="yes"><button>Yes, I’m sure</button></form>',
    'low, deletion',
    'delete_item',
    'Deletes the item with the button "Yes, I’m sure".',
  ],
  [
    'a login whose password is not in the page',
    '<form method="post"><label>Email <input type="email" name="e"></label><button>Log in</button></form>',
    'high, login',
    'log_in',
    'Logs the user in to an account with the email.',
  ],
  [
    'a password alone, without inventing a login',
    '<form method="post"><label>Password <input type="password" name="p"></label><button>Continue</button></form>',
    'low, password',
    'enter_password',
    'Submits a password that the user enters. The page does not say what the form is for.',
  ],
  [
    'a new password, which may be for a new account, a change or a reset',
    '<form method="post"><label>Password <input type="password" name="a"></label><label>Confirm password <input type="password" name="b"></label><button>Continue</button></form>',
    'medium, password',
    'set_password',
    'Sets a password that the user chooses.',
  ],
  [
    'an email address and a password that no text explains',
    '<form method="post"><label>Email <input type="email" name="e"></label><label>Password <input type="password" name="p"></label><button>Submit</button></form>',
    'low, password',
    'enter_password',
    'Submits the form with the email. The user enters the password. The page does not say what the form is for.',
  ],
  [
    'a one-time code',
    '<h1>Two-step verification</h1><form method="post"><label>Code <input name="c" autocomplete="one-time-code"></label><button>Verify</button></form>',
    'high, login',
    'enter_verification_code',
    'Submits the verification code that the user enters.',
  ],
  [
    'a profile with a password',
    '<h1>Profile</h1><form method="post"><label>Name <input name="n"></label><label>Biography <textarea name="b"></textarea></label><label>Password <input type="password" name="p"></label><button>Save</button></form>',
    'high, password',
    'update_profile',
    'Updates the name and biography of the profile.',
  ],
  [
    'a deletion by its path alone',
    '<form method="post" action="/photos/7/delete"><button>Yes, I am sure</button></form>',
    'medium, deletion',
    'delete_photo',
    'Deletes the photo with the button "Yes, I am sure".',
  ],
];

describe('suggestAnnotations', () => {
  for (const [title, body, ...expected] of [...forms, ...quotedForms, ...sensitiveForms])
    it(`suggests annotations for ${title}`, () => assert.deepEqual(summary(suggestionOf(body)), expected));

  for (const [title, body] of [...forms, ...quotedForms.slice(0, -1)])
    it(`suggests annotations without findings of lint for ${title}`, () => {
      const ofSuggestion = problemsOf(pageOf(body)).filter(({ code }) => code !== 'missing-parameter-description');
      assert.deepEqual(ofSuggestion, []);
    });
});
