# Creates the tables, Redmine's default data, and the projects and accounts of the tests.

connection = ActiveRecord::Base.connection
connection.execute('PRAGMA synchronous = OFF')
ActiveRecord::Migration.verbose = false
connection.migration_context.migrate
ActiveRecord::Base.descendants.each(&:reset_column_information)
Redmine::DefaultData::Loader.load('en')
ActiveJob::Base.queue_adapter = :test # no e-mail messages
Setting.default_language = 'en'
Setting.notified_events = []

def account(login, options = {})
  user = User.new({ firstname: login.capitalize, lastname: 'Tester', mail: "#{login}@example.com", language: 'en' }.merge(options))
  user.login = login
  user.password = user.password_confirmation = ENV['REDMINE_PASSWORD']
  user.save!
  user
end

ada = account('ada', admin: true)
grace = account('grace')
account('eve') # no member of a project
ENV['REDMINE_LEAVERS'].split.each { |login| account(login) }

modules = %w[issue_tracking time_tracking wiki news files]
projects = { 'trains' => true, 'ships' => true, 'secret' => false }.to_h do |identifier, is_public|
  project = Project.create!(name: identifier.capitalize, identifier: identifier, is_public: is_public,
                            enabled_module_names: modules, trackers: Tracker.all.to_a)
  [identifier, project]
end
trains = projects['trains']
manager = Role.find_by!(name: 'Manager')
[trains, projects['ships']].each { |project| Member.create!(project: project, principal: grace, roles: [manager]) }
User.current = ada

JSON.parse(ENV['REDMINE_ISSUES']).each do |subject|
  issue = Issue.create!(project: trains, tracker: Tracker.first, author: ada, subject: subject,
                        description: "#{subject}, says Ada.\n\nSecond paragraph.", priority: IssuePriority.first)
  next unless subject.include?('hours')
  TimeEntry.create!(project: trains, issue: issue, user: grace, author: grace, hours: 2, spent_on: Date.today,
                    activity: TimeEntryActivity.first, comments: subject)
end
{ 'Wiki' => 'Welcome.', 'Timetable' => "h1. Timetable\n\nThe railway runs every hour.", 'Old' => 'To rename.' }.each do |title, text|
  page = WikiPage.new(wiki: trains.wiki, title: title)
  page.save_with_content(WikiContent.new(page: page, author: ada, text: text)) || raise(page.errors.full_messages.join)
end
