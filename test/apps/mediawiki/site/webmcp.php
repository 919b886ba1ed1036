<?php
// The tools of a wiki, as its operator writes them. LocalSettings.php requires this file.

$wgHooks['BeforePageDisplay'][] = static function ($out) {
    $script = '<script src="/webmcp/webmcp-forms.iife.js" data-profile="precise" data-sensitive="include"></script>';
    $out->addHeadItem('webmcp-forms', $script);
    // These forms have no ID, so the tool is the element around the content of their page.
    $tools = ['Userlogin' => ['log_in', 'Logs in to the wiki.'], 'Userlogout' => ['log_out', 'Logs out of the wiki.']];
    foreach ($tools as $page => [$name, $description]) {
        if (!$out->getTitle()->isSpecial($page)) continue;
        $out->prependHTML("<webmcp-tool name=\"$name\" description=\"$description\" autosubmit optional>");
        $out->addHTML('</webmcp-tool>');
    }
    if ($out->getRequest()->getVal('action') === 'watch') {
        $out->prependHTML('<webmcp-tool name="watch_page" description="Watches a page." autosubmit optional>');
        $out->addHTML('</webmcp-tool>');
    }
    // A field that only programs fill in, and that makes MediaWiki refuse the edit.
    $html = $out->getHTML();
    $out->clearHTML();
    $out->addHTML(str_replace('<div id="antispam-container"', '<div data-webmcp-ignore id="antispam-container"', $html));
};
$wgHooks['SkinAfterBottomScripts'][] = static function ($skin, &$html) {
    $html .= file_get_contents(__DIR__ . '/tools.html');
};
