# Somebody else changes the issue "Contested" while its form is on the way to the agent.

Redmine::Plugin.register(:contested) { version '1.0.0' }

class ContestedHooks < Redmine::Hook::ViewListener
  def view_layouts_base_body_bottom(context)
    controller = context[:controller]
    shown = controller.instance_variable_get(:@issue)
    return unless controller.action_name == 'show' && shown.is_a?(Issue) && shown.subject == 'Contested'

    issue = Issue.find(shown.id)
    issue.init_journal(User.find_by_login('ada'), 'Meanwhile.')
    issue.save!
    ''
  end
end
