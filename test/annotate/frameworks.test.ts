import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { mayContainForms } from '../../src/annotate/files/annotate-task.js';
import { withinCpuSeconds } from '../support/cpu-time.js';
import { annotateText, assertOnlyAttributes } from '../support/annotate/annotating.js';

const button = '<button type="submit">Request a quote</button></form>';

describe('annotatePage, for controls without a name in components', () => {
  const files: readonly (readonly [file: string, source: string])[] = [
    ['a.jsx', `const a = <form onSubmit={b}><label>Email <input value={c} onChange={d} /></label>${button};`],
    ['a.vue', `<template><form @submit.prevent="b"><label>Email <input v-model="c"></label>${button}</template>`],
    ['a.svelte', `<form on:submit={b}><label>Email <input bind:value={c}></label>${button}`],
  ];
  for (const [file, source] of files) {
    it(`reports them in ${file}, because the tool would lack their parameters`, () => {
      assert.deepEqual(
        annotateText(file, source).forms.flatMap(({ problems }) => problems),
        [
          'missing-parameter-name: The control "Email" has no name, so it would not be a parameter. Add a name to it, also if a script reads the value.',
        ],
      );
    });
  }

  it('lists several controls', () => {
    const fields = ['Name', 'City'].map((label) => `<label>${label} <input value={a} /></label>`).join('');
    const { forms } = annotateText('a.tsx', `const a = <form onSubmit={b}>${fields}${button};`);
    assert.match(
      forms[0]?.problems[0] ?? '',
      /: The controls "Name", "City" have no name, so they would not be parameters\./,
    );
  });

  const computed: readonly (readonly [file: string, source: string])[] = [
    ['a.jsx', `const a = <form onSubmit={b}><label>Email <input {...register('email')} /></label>${button};`],
    ['a.jsx', `const a = <form onSubmit={b}><label>Email <input name={c} /></label>${button};`],
    ['a.vue', `<template><form @submit="b"><label>Email <input :name="c"></label>${button}</template>`],
    ['a.vue', `<template><form @submit="b"><label>Email <input v-bind="c"></label>${button}</template>`],
    ['a.svelte', `<form on:submit={b}><label>Email <input {...c}></label>${button}`],
  ];
  for (const [file, source] of computed) {
    it(`does not report controls whose name is computed in ${file}: ${source}`, () => {
      assert.deepEqual(
        annotateText(file, source).forms.map(({ problems }) => problems),
        [[]],
      );
    });
  }
});

describe('annotatePage, for forms that helpers and components write', () => {
  const reported: readonly (readonly [file: string, source: string, reason: string])[] = [
    [
      'a.html.erb',
      '<%= form_with(model: user) do |form| %>\n<%= form.text_field :name %>\n<% end %>',
      'The form is written by the helper form_with. Pass html: { toolname: "...", tooldescription: "..." } to it.',
    ],
    [
      'a.html.erb',
      '<%= simple_form_for @user do |f| %><%= f.input :name %><% end %>',
      'The form is written by the helper simple_form_for. Pass html: { toolname: "...", tooldescription: "..." } to it.',
    ],
    [
      'a.html.erb',
      '<%= form_tag(search_path, method: :get) do %><%= text_field_tag :q %><% end %>',
      'The form is written by the helper form_tag. Pass toolname: "...", tooldescription: "..." to it.',
    ],
    [
      'a.html.erb',
      '<%= button_to "Archive", @post %>',
      'The form is written by the helper button_to. Pass form: { toolname: "...", tooldescription: "..." } to it.',
    ],
    [
      'a.blade.php',
      "{!! Form::open(['url' => 'a']) !!}{!! Form::text('b') !!}{!! Form::close() !!}",
      "The form is written by the helper Form::open. Pass ['toolname' => '...', 'tooldescription' => '...'] to it.",
    ],
    [
      'a.cshtml',
      '@using (Html.BeginForm("Create", "User", FormMethod.Post)) {\n@Html.EditorFor(m => m.Name)\n<input type="submit" value="Save">\n}',
      'The form is written by the helper Html.BeginForm. Pass new { toolname = "...", tooldescription = "..." } to it.',
    ],
    ...(
      [
        ['a.jsx', 'const a = <Form method="post"><input name="b" /></Form>;', 'Form'],
        ['a.vue', '<template><el-form :model="a"><el-input v-model="b" /></el-form></template>', 'el-form'],
        ['a.razor', '<EditForm Model="a" OnValidSubmit="B"><InputText @bind-Value="a.Name" /></EditForm>', 'EditForm'],
        ['a.blade.php', '<x-form action="/a"><x-input name="b" /></x-form>', 'x-form'],
      ] as const
    ).map(
      ([file, source, name]) =>
        [
          file,
          source,
          `The form is written by the component ${name}. Add toolname and tooldescription to its tag if it passes attributes to the form, or else in the component.`,
        ] as const,
    ),
  ];
  for (const [file, source, reason] of reported) {
    it(`reports the form with advice in ${file}: ${source}`, () => {
      assert.ok(mayContainForms(source));
      const { text, unsafe } = annotateText(file, source);
      assert.equal(text, source);
      assert.deepEqual(
        unsafe.map((each) => each.reason),
        [reason],
      );
    });
  }

  it('does not report a helper or a component with annotations', () => {
    const annotated: readonly (readonly [file: string, source: string])[] = [
      ['a.erb', '<%= form_with model: a, html: { toolname: "b", tooldescription: "C." } do |f| %><% end %>'],
      ['a.jsx', 'const a = <Form toolname="b" tooldescription="C."><input name="d" /></Form>;'],
    ];
    for (const [file, source] of annotated) assert.deepEqual(annotateText(file, source).unsafe, [], file);
  });
});

describe('annotatePage, for Blade components', () => {
  it('reads the elements that they write, with their labels', () => {
    const source = `<form method="POST" action="{{ route('login') }}">@csrf
  <x-input-label for="email" :value="__('Email')" /><x-text-input id="email" type="email" name="email" :value="old('email')" required />
  <x-input-label for="password" value="Password" /><x-text-input id="password" type="password" name="password" />
  <x-primary-button class="ms-3">{{ __('Log in') }}</x-primary-button>
</form>`;
    const { forms, unsafe, text } = annotateText('a.blade.php', source);
    assert.deepEqual(
      forms.map(({ name, description, sensitive }) => [name, description, sensitive]),
      [['log_in', 'Logs the user in to an account with the email. The user enters the password.', 'login']],
    );
    assert.deepEqual(unsafe, []);
    assertOnlyAttributes(source, text);
  });
});

describe('annotatePage, for Razor', () => {
  const page = (form: string): string =>
    `@page "/a"\n@model User\n@using App.Models\n@{ ViewData["Title"] = "} <form>"; }\n@* <form> *@\n<p>a@b.example @@c @Model.Items[0]?.Name("x)")</p>\n${form}`;
  const form =
    '<form asp-action="Create" method="post"><label asp-for="Name" class="@(a > 1 ? "b" : "c")">Name</label><input asp-for="Name" /><button>Create user</button></form>';

  it('reads the names of controls from asp-for, and only adds attributes', () => {
    const source = page(form).replace(' } <form>', '');
    const { forms, unsafe, text } = annotateText('a.cshtml', source.replace('} <form>', 'A'));
    assert.deepEqual(
      [forms.map(({ name, description, problems }) => [name, description, problems]), unsafe],
      [[['create_user', 'Creates a user with the name.', []]], []],
    );
    assert.match(text, /<form toolname="create_user"/);
  });

  it('reads the last part of a nested property, but not the password', () => {
    const { forms } = annotateText(
      'a.cshtml',
      '<form method="post"><input asp-for="Input.FirstName" /><input asp-for="Input.Password" /><button>Save profile</button></form>',
    );
    assert.deepEqual(
      forms.flatMap(({ parameters }) => parameters.map(({ parameter, description }) => [parameter, description])),
      [['Input.FirstName', 'First name']],
    );
  });

  it('annotates a form in a condition, and the form after a loop', () => {
    const source = `@if (a) {\n${form}\n} else if (b) {\n<p>{c}</p>\n} else {\n<p></p>\n}\n@foreach (var d in e)\n{\n<p>@d</p>\n}\n${form.replace('Create user', 'Update user')}`;
    const { forms, unsafe, text } = annotateText('a.cshtml', source);
    assert.deepEqual([forms.map(({ name }) => name), unsafe], [['create_user', 'update_user'], []]);
    assertOnlyAttributes(source, text);
  });

  const loops = {
    'a foreach loop': `@foreach (var a in b) { ${form} }`,
    'a loop of code in a condition': `@if (a) { foreach (var b in c) { ${form} } }`,
    'a for loop': `@for (var i = 0; i < n; i++)\n{\n<p>{</p>}${form}\n}`.replace('<p>{</p>}', '<p></p>'),
  };
  for (const [title, source] of Object.entries(loops)) {
    it(`reports a form in ${title}`, () => {
      const { unsafe, text } = annotateText('a.cshtml', source);
      assert.equal(text, source);
      assert.match(unsafe[0]?.reason ?? '', /^A loop repeats the form/);
    });
  }

  it('writes an at sign in a value as a character reference', () => {
    const { text } = annotateText(
      'a.cshtml',
      '<form method="post"><label>Anything @@ home <input name="a" /></label><button>OK</button></form>',
    );
    assert.doesNotMatch(text.slice(0, text.indexOf('method=')), /@/);
  });

  for (const part of ['@(', '@{', '@if (a) {', '@foreach(', '@a.b', '@*', '{', "@('"]) {
    it(`reads a long template of ${part} in proportion to its length`, async () => {
      await withinCpuSeconds(20, () => {
        assert.deepEqual(annotateText('a.cshtml', part.repeat(60_000)).forms, []);
      });
    });
  }
});
