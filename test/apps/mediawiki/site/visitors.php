<?php
// Excludes what visitors write from the tools and the messages of a page: texts, their previews, titles and indicators.

$ignore = static fn($html) =>
    str_replace('<div class="mw-parser-output"', '<div data-webmcp-ignore class="mw-parser-output"', $html);
$wgHooks['OutputPageBeforeHTML'][] = static function ($out, &$html) use ($ignore) {
    $html = $ignore($html);
};
$wgHooks['BeforePageDisplay'][] = static function ($out) use ($ignore) {
    $out->setIndicators(array_map($ignore, $out->getIndicators()));
    $title = $out->getHTMLTitle();
    $out->setPageTitle('<span data-webmcp-ignore>' . $out->getPageTitle() . '</span>');
    $out->setHTMLTitle($title);
};
