/** The attributes that say whether a form is a tool by itself. */
export const annotations = ['toolname', 'tooldescription'].flatMap((name) => [name, `data-${name}`]);
