<?php
// A must-use plugin, as the author of a site writes it: one footer with the tools of all forms.

// The tests have no network, and the classic editor is the one that submits a form.
define('DISABLE_WP_CRON', true);
add_filter('pre_http_request', fn() => new WP_Error('no-network', 'There is no network.'));
add_filter('use_block_editor_for_post', '__return_false');
add_filter('pre_option_show_avatars', fn() => '0');
// All agents of the tests have one address.
add_filter('comment_flood_filter', '__return_false');
// The tests let nonces expire: a day would be too long.
add_filter('salt', fn($salt, $scheme) => $scheme === 'nonce' ? $salt . get_option('nonce_generation') : $salt, 10, 2);

$webmcpScript = fn() => wp_enqueue_script('webmcp-forms', '/webmcp/webmcp-forms.iife.js', [], null, false);
foreach (['wp_enqueue_scripts', 'admin_enqueue_scripts', 'login_enqueue_scripts'] as $hook) {
    add_action($hook, $webmcpScript, 0);
}
add_filter('script_loader_tag', fn($tag, $handle) =>
    $handle === 'webmcp-forms' ? str_replace('<script ', '<script data-profile="precise" data-sensitive="include" ', $tag) : $tag, 10, 2);
$webmcpTools = fn() => readfile(__DIR__ . '/webmcp/tools.html');
foreach (['wp_footer', 'admin_footer', 'login_footer'] as $hook) {
    add_action($hook, $webmcpTools);
}
// The search of a block theme has no ID.
add_filter('render_block_core/search', fn($html) =>
    "<webmcp-tool name=\"search\" description=\"Searches the site.\" autosubmit>$html</webmcp-tool>");
