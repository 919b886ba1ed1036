/** The form of the first page. */
export const exampleForm = `<form toolname="find_tables" toolautosubmit
      tooldescription="Finds free tables.">
  <label>Guests
    <input type="number" name="guests"
           min="1" max="12" required>
  </label>
  <label>Seat
    <select name="seat">
      <option value="in">Inside</option>
      <option value="out">Outside</option>
    </select>
  </label>
  <button>Search</button>
</form>`;

export const exampleInput = '{ "guests": 4, "seat": "out" }';

/** An input with an error in each parameter. */
export const wrongInput = '{ "guests": 40, "seat": "roof" }';

/** A change of the form that a visitor can try, and an input for it. */
export interface Trial {
  readonly label: string;
  readonly form: string;
  readonly input: string;
}

const day = '  <label>Day <input type="date" name="day"></label>\n';

export const formTrials: readonly Trial[] = [
  { label: 'Let the user submit', form: exampleForm.replace(' toolautosubmit', ''), input: exampleInput },
  {
    label: 'Add a date',
    form: exampleForm.replace('  <button>', `${day}  <button>`),
    input: '{ "guests": 4, "day": "2030-05-01" }',
  },
  { label: 'Reset', form: exampleForm, input: exampleInput },
];
