import type {} from 'webmcp-forms/jsx';
import { useState, type ChangeEvent, type SubmitEvent } from 'react';
import { createRoot } from 'react-dom/client';
import { send, type Answer } from './send.js';

const start = { recipient: '', amount: '50', design: 'lantern', message: '' };
type Voucher = typeof start;

type Control = HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement;

const preview = ({ recipient, amount, design, message }: Voucher, code: string | undefined) => (
  <div className={`voucher ${design}`}>
    <p className="eyebrow">Osteria Lume</p>
    <p className="sum">€{amount || '0'}</p>
    <p>For {recipient || '...'}</p>
    {message && <p>{message}</p>}
    {code && <p className="code">{code}</p>}
  </div>
);

const result = ({ code, problems }: Answer) => (
  <p className={problems ? 'answer problem' : 'answer'} role="status">
    {code && `The voucher is made. Its code is ${code}.`}
    {problems && Object.values(problems).join(' ')}
  </p>
);

function VoucherForm() {
  const [voucher, setVoucher] = useState(start);
  const [answer, setAnswer] = useState<Answer>({});
  const bind = (name: keyof Voucher) => ({
    ...{ id: `voucher-${name}`, name, value: voucher[name] },
    onChange: ({ target }: ChangeEvent<Control>) => setVoucher((last) => ({ ...last, [name]: target.value })),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(event.nativeEvent, '/api/vouchers', voucher, setAnswer);
  };
  return (
    <form
      toolname="buy_voucher"
      tooldescription="Makes a gift voucher of Osteria Lume. It is paid at the restaurant."
      toolautosubmit=""
      onSubmit={submit}
    >
      {preview(voucher, answer.code)}
      <p>
        <label htmlFor="voucher-recipient">For whom</label>
        <input {...bind('recipient')} required maxLength={80} toolparamdescription="Name of the person who gets it" />
      </p>
      <div className="columns">
        <p>
          <label htmlFor="voucher-amount">Amount in euros</label>
          <input
            {...bind('amount')}
            {...{ type: 'number', min: 20, max: 500, step: 5, required: true }}
            toolparamdescription="Amount in whole euros, in steps of 5"
          />
        </p>
        <p>
          <label htmlFor="voucher-design">Design</label>
          <select {...bind('design')} toolparamdescription="What the voucher looks like">
            <option value="lantern">Lantern</option>
            <option value="harbour">Harbour</option>
            <option value="plain">Plain</option>
          </select>
        </p>
      </div>
      <p>
        <label htmlFor="voucher-message">
          Message <small>(optional)</small>
        </label>
        <textarea {...bind('message')} rows={2} maxLength={200} toolparamdescription="Words printed on the voucher" />
      </p>
      <button>Make the voucher</button>
      {result(answer)}
    </form>
  );
}

createRoot(document.querySelector('#voucher') as HTMLElement).render(<VoucherForm />);
