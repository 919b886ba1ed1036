<?php
// The settings of the tests.

$wgServer = 'http://' . ($_SERVER['HTTP_HOST'] ?? '127.0.0.1');
$wgJobRunRate = 0;
// All agents of the tests have one address, which may otherwise save eight pages a minute.
$wgRateLimits = [];
$wgEnableUploads = true;
// Somebody else changes the page "Contested" while its form is on the way to the agent.
$wgHooks['BeforePageDisplay'][] = static function ($out) {
    if ($out->getTitle()->getText() !== 'Contested' || $out->getRequest()->getVal('action') !== 'edit') return;
    $updater = $out->getWikiPage()->newPageUpdater(User::newFromName('Grace'));
    $updater->setContent('main', new WikitextContent('The text of Grace, ' . wfRandomString(8) . '.'));
    $updater->saveRevision(CommentStoreComment::newUnsavedComment('meanwhile'));
};
