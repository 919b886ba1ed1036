// The pages that bench/forms.mjs measures: forms that are tools, among other elements.

const controls = (index) => `
  <label>Name <input name="name" required maxlength="80"></label>
  <label>E-mail <input name="email" type="email" autocomplete="email"></label>
  <label for="phone-${index}">Phone</label><input id="phone-${index}" name="phone" type="tel">
  <label>Guests <input name="guests" type="number" min="1" max="12"></label>
  <label>Day <input name="day" type="date"></label>
  <label for="seat-${index}">Seat</label>
  <select id="seat-${index}" name="seat"><option value="in">Inside</option><option value="out">Outside</option></select>
  <label>Wishes <textarea name="wishes" rows="2"></textarea></label>
  <label><input name="news" type="checkbox"> Send me news</label>
  <label><input name="pay" type="radio" value="card"> By card</label>
  <label><input name="pay" type="radio" value="cash"> In cash</label>`;

const form = (index) =>
  `<form toolname="form_${index}" tooldescription="Books table ${index}." toolautosubmit>${controls(index)}
  <button>Book</button></form>\n`;

/** Two elements with layout containment, so that the layout of the page does not hide the measured work. */
const line = (index) => `<div class="other">Line ${index} <span>and its text</span></div>\n`;

/** The body of a page: forms, spread evenly over other elements. */
export function body(forms, others) {
  const lines = others / 2;
  let html = '<style>.other { contain: strict; height: 20px }</style>';
  for (let index = 0, lined = 0; index < forms; index++) {
    html += form(index);
    for (; lined < (lines * (index + 1)) / forms; lined++) html += line(lined);
  }
  return html;
}
