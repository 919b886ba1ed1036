/** The attributes that make a form a tool without a `<webmcp-tool>`. */
export const annotationNames = ['toolname', 'tooldescription'].flatMap((name) => [name, `data-${name}`]);
