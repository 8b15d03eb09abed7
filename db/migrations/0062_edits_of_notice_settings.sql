-- Channels and quiet hours carry a version, like every other row that a form edits.
select access.track_edits('noticequiet', 'ison,quietfrom,quietuntil');
select access.track_edits('noticechannel', 'enabled,config.*,secretsealed', true);
