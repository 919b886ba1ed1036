/** The attributes that make a form a tool by themselves. */
export const annotationNames = ['toolname', 'tooldescription'].flatMap((name) => [name, `data-${name}`]);
