<?php
// Runs before every page (auto_prepend_file), as a host's own installer does: these pages have no hooks and no ID for their
// form, so the annotations are written into their HTML.
$webmcpForms = [
    'setup-config.php' => [
        '<form method="post" action="setup-config.php?step=2">',
        'data-toolname="connect_database" data-tooldescription="Connects WordPress to its database."',
    ],
    'install.php' => [
        '<form id="setup" method="post" action="install.php?step=2" novalidate="novalidate">',
        'data-toolname="install" data-tooldescription="Installs WordPress with its first user."',
    ],
    'options-general.php' => [
        '<form method="post" action="options.php" novalidate="novalidate">',
        'data-toolname="change_settings" data-tooldescription="Changes the general settings of the site." data-webmcp-response="fetch"',
    ],
];
[$webmcpForm, $webmcpTool] = $webmcpForms[basename($_SERVER['SCRIPT_NAME'])] ?? [null, null];
if ($webmcpForm) {
    ob_start(function (string $html) use ($webmcpForm, $webmcpTool): string {
        $annotated = substr($webmcpForm, 0, -1) . " $webmcpTool data-toolautosubmit>";
        $script = str_contains($html, 'webmcp-forms.iife.js') ? '' : '<script src="/webmcp/webmcp-forms.iife.js" data-profile="precise" data-sensitive="include"></script>';
        return str_replace([$webmcpForm, '</head>'], [$annotated, "$script</head>"], $html);
    });
}
