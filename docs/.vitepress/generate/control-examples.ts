export interface ControlExample {
  readonly title: string;
  readonly html: string;
  readonly note?: string;
}

/** An example of each type of control. */
export const controlExamples: readonly ControlExample[] = [
  {
    title: 'Text and search',
    html: '<label>City <input name="city" minlength="2" maxlength="40" placeholder="Lisbon" /></label>',
    note: '[Descriptions](#descriptions) lists the strings that describe a parameter.',
  },
  {
    title: 'Text with a pattern',
    html: '<label>Voucher <input name="voucher" pattern="[A-Z]{2}[0-9]{4}" title="Two letters and four digits" /></label>',
  },
  { title: 'Text with suggestions', html: datalist() },
  { title: 'Email', html: '<label>Email <input type="email" name="email" required /></label>' },
  { title: 'URL', html: '<label>Website <input type="url" name="website" /></label>' },
  { title: 'Telephone', html: '<label>Phone <input type="tel" name="phone" autocomplete="tel" /></label>' },
  {
    title: 'Password',
    html: '<label>Password <input type="password" name="password" /></label>',
    note: 'Passwords, payment data and one-time codes are parameters only with `sensitive: "include"`, the default of `chromium`.',
  },
  { title: 'Multi-line text', html: '<label>Message <textarea name="message" maxlength="500"></textarea></label>' },
  {
    title: 'Number',
    html: '<label>Guests <input type="number" name="guests" min="1" max="12" value="2" /></label>',
    note: 'The step of 1 makes it an integer. With `step="any"` it is a number.',
  },
  { title: 'Number with a step', html: '<label>Tip <input type="number" name="tip" min="0" step="0.5" /></label>' },
  { title: 'Range', html: '<label>Volume <input type="range" name="volume" min="0" max="10" /></label>' },
  { title: 'Date', html: '<label>Day <input type="date" name="day" min="2026-06-01" max="2026-06-30" /></label>' },
  { title: 'Time', html: '<label>Time <input type="time" name="time" min="18:00" max="22:00" step="1800" /></label>' },
  { title: 'Date and time', html: '<label>Start <input type="datetime-local" name="start" /></label>' },
  { title: 'Month', html: '<label>Month <input type="month" name="month" /></label>' },
  { title: 'Week', html: '<label>Week <input type="week" name="week" /></label>' },
  { title: 'Color', html: '<label>Color <input type="color" name="color" value="#1f6b5e" /></label>' },
  { title: 'Checkbox', html: '<label><input type="checkbox" name="gift" /> Wrap as a gift</label>' },
  {
    title: 'Checkboxes with one name',
    html: `<fieldset>
  <legend>Toppings</legend>
  <label><input type="checkbox" name="topping" value="olives" /> Olives</label>
  <label><input type="checkbox" name="topping" value="capers" /> Capers</label>
</fieldset>`,
  },
  {
    title: 'Radio buttons',
    html: `<fieldset>
  <legend>Size</legend>
  <label><input type="radio" name="size" value="s" required /> Small</label>
  <label><input type="radio" name="size" value="l" /> Large</label>
</fieldset>`,
  },
  {
    title: 'Select',
    html: `<label>
  Seat
  <select name="seat">
    <option value="">Any</option>
    <option value="in">Inside</option>
    <option value="out">Outside</option>
  </select>
</label>`,
  },
  {
    title: 'Select with several choices',
    html: `<label>
  Days
  <select name="days" multiple>
    <option>Friday</option>
    <option>Saturday</option>
  </select>
</label>`,
  },
  { title: 'File', html: '<label>Photo <input type="file" name="photo" accept="image/*" /></label>' },
  {
    title: 'Hidden',
    html: '<input type="hidden" name="token" value="4711" />',
    note: 'A hidden control is a parameter only with `toolparamdescription`. It is submitted with the value of the page.',
  },
  {
    title: 'Several submit buttons',
    html: '<button name="action" value="save">Save</button> <button name="action" value="publish">Publish</button>',
  },
  {
    title: 'Form-associated custom element',
    html: `<star-rating name="stars" toolparamdescription="Stars" toolparamschema='{ "type": "integer", "minimum": 1, "maximum": 5 }'></star-rating>`,
  },
];

function datalist(): string {
  return `<label>Airport <input name="airport" list="airports" /></label>
<datalist id="airports">
  <option value="LIS">Lisbon</option>
  <option value="OPO">Porto</option>
</datalist>`;
}
