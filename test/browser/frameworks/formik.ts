import { ErrorMessage, Form, Formik } from 'formik';
import { createElement as h } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { confirmation, none, orderOf, problemsOf, toolAttributes, type MountOrder, type Order } from './order.js';

/**
 * https://formik.org/docs/tutorial
 *
 * @param key - the attribute by which Formik knows a control
 */
export const mountFormik =
  (validates: boolean, key: 'name' | 'id' = 'name'): MountOrder =>
  (container, shop) => {
    const timing = { validateOnBlur: validates, validateOnChange: validates };
    const root = createRoot(container);
    const element = h(Formik<Order>, {
      ...timing,
      initialValues: none,
      validate: problemsOf,
      onSubmit: async (values, { resetForm, setStatus }) => {
        await shop.order(() => orderOf(values));
        if (shop.resets) resetForm();
        setStatus(confirmation);
      },
      children: ({ values, status, isSubmitting, getFieldProps }) => {
        const bind = (name: string) => ({ ...getFieldProps(name), name: undefined, [key]: name });
        return h(
          Form,
          toolAttributes,
          h(
            'select',
            bind('kind'),
            ...['', 'person', 'company'].map((value) => h('option', { key: value, value }, value || 'Choose')),
          ),
          values.kind === 'company' && h('label', null, 'VAT number', h('input', bind('vat'))),
          h(ErrorMessage, { name: 'vat', component: 'div' }),
          h('label', null, 'E-mail', h('input', { type: 'email', ...bind('mail') })),
          h(ErrorMessage, { name: 'mail', component: 'div' }),
          h('button', { type: 'submit', disabled: isSubmitting }, 'Order'),
          h('p', { role: 'status' }, status as string | undefined),
        );
      },
    });
    flushSync(() => root.render(element));
    return () => root.unmount();
  };
