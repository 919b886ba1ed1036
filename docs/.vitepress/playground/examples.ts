/** A page to start with. */
export interface Example {
  readonly title: string;
  readonly html: string;
}

const booking = `<!doctype html>
<title>Trattoria Lago</title>

<form toolname="book_table" tooldescription="Books a table at Trattoria Lago."
      action="/reservations" method="post">
  <p><label>Name <input name="name" autocomplete="name" required></label></p>
  <p><label>Date <input type="date" name="date" min="2026-01-01" required></label></p>
  <p><label>Time <input type="time" name="time" min="18:00" max="22:00" step="1800" required></label></p>
  <p><label>Guests <input type="number" name="guests" min="1" max="12" value="2"></label></p>
  <p><label>Area
    <select name="area">
      <option value="inside">Dining room</option>
      <option value="terrace">Terrace</option>
    </select></label></p>
  <p><label>Code <input name="code" pattern="[A-Z]{2}[0-9]{4}" placeholder="Voucher"></label></p>
  <button>Book</button>
</form>
`;

const search = `<!doctype html>
<title>Book shop</title>
<h1>Find a book</h1>

<form role="search" action="/search">
  <p><label>Title or author <input type="search" name="q" required></label></p>
  <p><label>Language
    <select name="lang">
      <option value="">Any</option>
      <option value="en">English</option>
      <option value="de">German</option>
      <option value="fr">French</option>
    </select></label></p>
  <p><label>Highest price in euros <input type="number" name="max_price" min="1" step="0.01"></label></p>
  <p><label><input type="checkbox" name="used"> Include used books</label></p>
  <button>Search</button>
</form>
`;

const checkout = `<!doctype html>
<title>Checkout</title>
<h1>Checkout</h1>

<form action="/orders" method="post">
  <fieldset>
    <legend>Shipping address</legend>
    <p><label>Name <input name="ship-name" autocomplete="shipping name" required></label></p>
    <p><label>Street <input name="street" autocomplete="shipping street-address" required></label></p>
    <p><label>Postal code <input name="zip" pattern="[0-9]{5}" title="Five digits" required></label></p>
    <p><label>City <input name="city" required></label></p>
  </fieldset>
  <fieldset>
    <legend>Delivery</legend>
    <p><label><input type="radio" name="delivery" value="standard" checked> Standard, 3 days</label></p>
    <p><label><input type="radio" name="delivery" value="express"> Express, next day</label></p>
  </fieldset>
  <fieldset>
    <legend>Payment</legend>
    <p><label>Card number <input name="card" autocomplete="cc-number" inputmode="numeric" required></label></p>
    <p><label>Expires <input type="month" name="expires" autocomplete="cc-exp" required></label></p>
  </fieldset>
  <button>Place order</button>
</form>
`;

const survey = `<!doctype html>
<title>Visitor survey</title>
<h1>How was your visit?</h1>

<form toolname="send_survey" action="/survey" method="post">
  <fieldset>
    <legend>Overall rating</legend>
    <label><input type="radio" name="rating" value="1" required> Poor</label>
    <label><input type="radio" name="rating" value="2"> Fair</label>
    <label><input type="radio" name="rating" value="3"> Good</label>
  </fieldset>
  <fieldset>
    <legend>What did you see?</legend>
    <label><input type="checkbox" name="seen" value="paintings"> Paintings</label>
    <label><input type="checkbox" name="seen" value="sculptures"> Sculptures</label>
    <label><input type="checkbox" name="seen" value="garden"> The garden</label>
  </fieldset>
  <p><label>Hours you stayed <input type="range" name="hours" min="1" max="8"></label></p>
  <p><label>Comments <textarea name="comments" maxlength="500"></textarea></label></p>
  <p><input name="email" type="email"></p>
  <button>Send</button>
</form>
`;

const legacy = `<html>
<head><title>Member directory</title></head>
<body bgcolor="#ffffff">
<table border="0" cellpadding="4">
<form name="f1" action="/cgi-bin/members.pl" method="POST">
<tr><td colspan="2"><b>Change your entry in the directory</b></td></tr>
<tr><td>Last name:</td><td><input type="text" name="lname" size="30" maxlength="40"></td></tr>
<tr><td>Phone:</td><td><input type="text" name="phone" size="20"></td></tr>
<tr><td>Department:</td><td><select name="dept">
<option value="0">-- choose --
<option value="12">Physics
<option value="17">Chemistry
<option value="31">Library
</select></td></tr>
<tr><td>Room:</td><td><input type="text" name="room" size="6"></td></tr>
<tr><td></td><td><input type="submit" name="act" value="Save"> <input type="reset" value="Clear"></td></tr>
</form>
</table>
</body>
</html>
`;

export const examples: readonly [Example, ...Example[]] = [
  { title: 'Booking, annotated', html: booking },
  { title: 'Search, not annotated', html: search },
  { title: 'Checkout with payment', html: checkout },
  { title: 'Survey with mistakes', html: survey },
  { title: 'Table layout from 1999', html: legacy },
];
