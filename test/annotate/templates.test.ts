import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { withinCpuSeconds } from '../support/cpu-time.js';
import { annotateText, assertOnlyAttributes } from '../support/annotate/annotating.js';

const form = '<form action="/books"><label>Title <input name="q"></label><button>Search books</button></form>';
const annotated =
  /^<form toolname="\w+"(?: tooltitle="[^"]+")? tooldescription="[^"]+"(?: toolautosubmit(?:="")?)? action="\/books">/m;

/** Templates by file name, each with one form that can be annotated. */
const plain: readonly (readonly [title: string, file: string, source: string])[] = [
  ['a page', 'a.html', form],
  ['a Django template', 'a.html', `{% extends "b.html" %}{% block c %}\n${form}\n{% endblock %}`],
  ['a Jinja template with a comment', 'a.j2', `{# <form action="/no"> "quote #}\n${form}`],
  ['a form in a condition', 'a.html', `{% if user %}\n${form}\n{% endif %}`],
  ['a form after a loop', 'a.twig', `{% for a in b %}<p>{{ a }}</p>{% endfor %}\n${form}`],
  ['an ERB template', 'a.html.erb', `<% if a %>\n${form}\n<% end %><%# <form> %>`],
  ['an ERB form after a loop', 'a.erb', `<% a.each do |b| %><%= b %><% end %>\n${form}`],
  ['an EJS template', 'a.ejs', `<% if (a) { %>\n${form}\n<% } %>`],
  ['a PHP file', 'a.php', `<?php $a = "?><p '"; /* ?> <form> */ foreach ($b as $c) { echo $c; } ?>\n${form}`],
  ['a PHP file with a heredoc', 'a.php', `<?php $a = <<<EOT\n ?> <p>\n EOT; ?>\n${form}`],
  ['a Blade template', 'a.blade.php', `@if ($a > 1)\n${form}\n@endif {{-- <form> --}} @csrf`],
  ['a Handlebars template', 'a.hbs', `{{#if a}}\n${form}\n{{/if}}{{!-- <form> --}}`],
  ['a Go template', 'a.gohtml', `{{define "a"}}{{range .Items}}<p>{{.}}</p>{{end}}\n${form}\n{{end}}`],
  ['a Liquid template', 'a.liquid', `{% schema %}{ "html": "<form>" }{% endschema %}\n${form}`],
  ['a component of Vue', 'a.vue', `<script setup>\nconst a = "<form>";\n</script>\n<template>\n${form}\n</template>`],
  [
    'a component of Svelte',
    'a.svelte',
    `<script>let a = "<form>";</script>\n{#if a}\n${form.replace('"q"', '"q" value={a > 1 ? "}" : b}')}\n{/if}`,
  ],
  ['a component of Astro', 'a.astro', `---\nconst a = '<form>';\n---\n<main>{a && <p>{a}</p>}\n${form}\n</main>`],
  [
    'a component of Astro with the attributes, void elements, comments and scripts of HTML',
    'a.astro',
    `<!doctype html>\n<!-- <form> } -->\n<img {src} {...rest} alt=\`\${a}>\` @click.once="b > c"><br>a > b }\n<script>if (a < b) c('<form>')</script>\n${form}`,
  ],
  [
    'a component in JSX',
    'a.jsx',
    `const a = b < c, d = /<form>/; // <form>\nexport const E = () => (\n${form.replace('"q"', '"q" /').replace('/>>', '/>')}\n);`,
  ],
  [
    'a component in TSX',
    'a.tsx',
    `const f = <T,>(a: T): Array<T> => [a];\nexport const E = () => <>\n${form.replace('"q"', '"q" onChange={(e) => { if (e > 1) a({ b: "}" }); }} /').replace('/>>', '/>')}\n</>;`,
  ],
];

describe('annotatePage, in templates', () => {
  for (const [title, file, source] of plain) {
    it(`annotates the only form of ${title}`, () => {
      const { forms, unsafe, text } = annotateText(file, source);
      assert.deepEqual([forms.length, unsafe], [1, []]);
      assert.match(text, annotated);
      assertOnlyAttributes(source, text);
    });
  }

  const values: readonly (readonly [file: string, start: string])[] = [
    ['a.html', `<form action="{% url 'books' %}" method="get"`],
    ['a.html', '<form {% if a %}class="b"{% endif %} action="{{ c }}"'],
    ['a.html', '<form{{ attributes }}'],
    ['a.erb', '<form action="<%= books_path(a > 1) %>"'],
    ['a.php', '<form action="<?php echo $a->b("x>y"); ?>" <?php if ($a) { echo \'class="c"\'; } ?>'],
    ['a.blade.php', '<form @if($a > 1) class="b" @endif action="{{ route("x") }}"'],
    ['a.hbs', '<form class={{a}} action={{b "c"}}'],
    ['a.vue', '<template><form :action="a > 1 ? b : `>`" @submit.prevent="c"'],
    ['a.svelte', '<form action={`${a}>`} {...rest} on:submit|preventDefault={() => { if (a > b) c({}); }}'],
    ['a.jsx', 'const a = <form onSubmit={(e) => { if (a > b) return c({ d: ">" }); }} {...rest} className={`x${a}`}'],
  ];
  for (const [file, start] of values) {
    it(`preserves the values that a template computes in ${file}: ${start}`, () => {
      const end = file.endsWith('.vue') ? '</template>' : '';
      const source = `${start}><label>Title <input name="q" /></label><button>Search books</button></form>${end}`;
      const { forms, unsafe, text } = annotateText(file, source);
      assert.deepEqual([forms.length, unsafe], [1, []]);
      assertOnlyAttributes(source, text);
      assert.match(text, /<form toolname=/);
    });
  }

  const unsafe: readonly (readonly [title: string, file: string, source: string, reason: RegExp])[] = [
    ['in a loop of Django', 'a.html', `{% for a in b %}${form}{% endfor %}`, /^A loop repeats the form/],
    ['in a loop of ERB', 'a.erb', `<% a.each do |b| %>${form}<% end %>`, /^A loop/],
    ['in a loop of EJS', 'a.ejs', `<% a.forEach((b) => { %>${form}<% }); %>`, /^A loop/],
    ['in a loop of PHP', 'a.php', `<?php foreach ($a as $b): ?>${form}<?php endforeach; ?>`, /^A loop/],
    ['in a loop of PHP with braces', 'a.php', `<?php while (a(b)) { ?>${form}<?php } ?>`, /^A loop/],
    ['in a loop of Handlebars', 'a.hbs', `{{#each a}}${form}{{/each}}`, /^A loop/],
    ['in a loop of Go', 'a.gohtml', `{{range .Items}}${form}{{end}}`, /^A loop/],
    ['in a loop of Blade', 'a.blade.php', `@foreach($a as $b)${form}@endforeach`, /^A loop/],
    ['in a loop of Vue', 'a.vue', `<template><li v-for="a in b">${form}</li></template>`, /^A loop/],
    ['in a loop of Svelte', 'a.svelte', `{#each a as b}${form}{/each}`, /^A loop/],
    ['in a statement that repeats', 'a.jsx', `for (const c of b) a.push(${form.replace('"q"', '"q" /')});`, /^A loop/],
    ['in a loop of Astro', 'a.astro', `<ul>{b.map((c) => <li>${form}<br></li>)}</ul>`, /^A loop/],
    ['in a comment of Astro that does not end', 'a.astro', `<!-- ${form}`, /cannot be parsed as Astro/],
    [
      'in expressions that are too deep',
      'a.tsx',
      `${'<a>'.repeat(400)}${form}`,
      /TSX: it is nested more than 300 deep/,
    ],
    ['in a loop of JSX', 'a.jsx', `const a = b.map((c) => ${form.replace('"q"', '"q" /')});`, /^A loop/],
    ['without an end tag', 'a.html', form.replace('</form>', ''), /^The form has no end tag/],
    ['that a string of PHP writes', 'a.php', `<?php echo '${form}';`, /^The form is written by code/],
    ['that a helper writes', 'a.erb', '<%= form_with model: @a do |f| %><% end %>', /helper form_with\. Pass/],
    [
      'with a start tag that depends on a condition',
      'a.html',
      `<form {% if a %}action="/b"><input name=q><button>Go</button></form>{% endif %}`,
      /condition/,
    ],
    [
      'of which the template computes the controls',
      'a.html',
      '<form method="post">{{ form }}</form>',
      /^The template computes/,
    ],
    ['in a translated text', 'a.html', `{% blocktrans %}${form}{% endblocktrans %}`, /^The form is written by code/],
    [
      'in JSX with unbalanced tags',
      'a.jsx',
      `const a = <div>${form.replace('"q"', '"q" /')};`,
      /cannot be parsed as JSX: unterminated JSX contents/,
    ],
    [
      'in a string that is not closed',
      'a.tsx',
      `const a = "b;\nconst c = ${form.replace('"q"', '"q" /')};`,
      /cannot be parsed as TSX/,
    ],
    [
      'in a template of Pug',
      'a.vue',
      `<template lang="pug">\nform(action="/a")\n</template>\n<!-- <form> -->`,
      /its <template> is not HTML/,
    ],
  ];
  for (const [title, file, source, reason] of unsafe) {
    it(`reports a form ${title}, and changes nothing`, () => {
      const result = annotateText(file, source);
      assert.equal(result.text, source);
      assert.equal(result.unsafe.length, 1);
      assert.match(result.unsafe[0]?.reason ?? '', reason);
    });
  }

  it('reports the line on which the parser finds an error', () => {
    const start = `export const A = () => ${form.replace('"q"', '"q" /')};\nexport const B = () => (\n`;
    const source = `${start}  <div>\n    <p>\n  </div>\n  </div>\n);`;
    const reason =
      'The file cannot be parsed as TSX: expected corresponding JSX closing tag for <p>. Annotate its forms by hand.';
    assert.deepEqual(annotateText('a.tsx', source).unsafe, [{ line: 5, column: 3, reason }]);
  });

  it('reports both forms of a condition that share one end tag', () => {
    const source = `{% if a %}<form action="/a">{% else %}<form action="/b">{% endif %}<input name="q"><button>Go</button></form>`;
    const { text, unsafe: reported } = annotateText('a.html', source);
    assert.equal(text, source);
    assert.deepEqual(
      reported.map(({ column }) => column),
      [11, 39],
    );
  });

  it('annotates forms with the same IDs, of which a template renders only one', () => {
    const login = `<form action="/login"><label for="user">User</label><input id="user" name="user"><button>Log in</button></form>`;
    const reset = login.replaceAll(/login|Log in/gi, 'reset');
    const { forms, unsafe } = annotateText(
      'a.php',
      `<?php if ($a): ?>\n${reset}\n<?php else: ?>\n${login}\n<?php endif ?>`,
    );
    assert.deepEqual([forms.length, forms.flatMap(({ problems }) => problems), unsafe], [2, [], []]);
  });

  it('reads the strings that a template translates, and ignores the keys', () => {
    const source = (text: string): string => `<form><input name="a" type="search"><button>${text}</button></form>`;
    const origins = (text: string): string =>
      annotateText('a.html', source(text))
        .forms.flatMap((each) => each.origins.map((origin) => origin.text))
        .join();
    assert.match(origins('{% translate "Search the books" %}'), /Search the books/);
    assert.match(origins(`<?php esc_attr_e( 'Search the books', 'theme' ); ?>`), /Search the books/);
    assert.doesNotMatch(origins('{{ t("books.search.title") }}'), /books/);
  });

  it('does not suggest toolautosubmit for a form that a script or a template submits', () => {
    const start = ['<form onSubmit={a}', '<form {...a}', '<form method={a}'];
    for (const each of start) {
      const { forms } = annotateText(
        'a.jsx',
        `const b = ${each} action="/books"><input type="search" name="q" /><button>Search books</button></form>;`,
      );
      assert.deepEqual(
        forms.map(({ autosubmit }) => autosubmit),
        [false],
        each,
      );
    }
  });

  it('writes a value for each attribute of JSX, because React omits attributes that are true', () => {
    const source = `const a = <form action="/books"><input type="search" name="q" /><button>Search books</button></form>;`;
    const { forms, text } = annotateText('a.jsx', source);
    assert.deepEqual(
      forms.map(({ autosubmit }) => autosubmit),
      [true],
    );
    assert.match(text, / toolautosubmit="" action/);
  });

  it('does not read components as elements of the same names', () => {
    const source = '<template><Form><input name="q"><Button>Go</Button></Form></template>';
    assert.deepEqual(annotateText('a.vue', source).forms, []);
  });

  const endless = [
    '{% comment %}',
    '{{ </script ',
    '<?php foreach (',
    "<% a('",
    '@if(',
    '<form ',
    '<!--',
    '{{',
    '<p a="',
  ];
  for (const part of endless) {
    it(`reads a long template of ${part} in proportion to its length`, { tags: 'long' }, async () => {
      await withinCpuSeconds(20, () => {
        for (const file of ['a.html', 'a.php', 'a.blade.php', 'a.erb'])
          assert.deepEqual(annotateText(file, part.repeat(60_000)).forms, []);
      });
    });
  }
});
