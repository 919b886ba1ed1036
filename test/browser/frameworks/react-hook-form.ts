import { createElement as h, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { useForm, type Mode } from 'react-hook-form';
import {
  checkMail,
  checkVat,
  confirmation,
  none,
  orderOf,
  toolAttributes,
  type MountOrder,
  type Shop,
} from './order.js';

/** https://react-hook-form.com/get-started, with a conditional field by `watch`. */
export const mountHookForm =
  (mode: Mode): MountOrder =>
  (container, shop) => {
    const root = createRoot(container);
    flushSync(() => root.render(h(Form, { mode, shop })));
    return () => root.unmount();
  };

function Form({ mode, shop }: { readonly mode: Mode; readonly shop: Shop }) {
  const { register, handleSubmit, watch, getValues, reset, formState } = useForm({ mode, defaultValues: none });
  const { errors, isSubmitting } = formState;
  const [status, setStatus] = useState('');
  const submit = handleSubmit(async () => {
    await shop.order(() => orderOf(getValues()));
    if (shop.resets) reset();
    setStatus(confirmation);
  });
  const error = (name: 'mail' | 'vat') => errors[name] && h('p', { role: 'alert' }, errors[name].message);
  return h(
    'form',
    { ...toolAttributes, onSubmit: (event) => void submit(event) },
    h(
      'select',
      register('kind'),
      ...['', 'person', 'company'].map((value) => h('option', { key: value, value }, value || 'Choose')),
    ),
    watch('kind') === 'company' &&
      h('label', null, 'VAT number', h('input', register('vat', { validate: (vat) => checkVat(vat) ?? true }))),
    error('vat'),
    h(
      'label',
      null,
      'E-mail',
      h('input', { type: 'email', ...register('mail', { validate: (mail) => checkMail(mail) ?? true }) }),
    ),
    error('mail'),
    h('button', { disabled: isSubmitting }, isSubmitting ? 'Sending…' : 'Order'),
    status && h('p', { role: 'status' }, status),
  );
}
