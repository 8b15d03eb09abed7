-- The order of names: numbers by their value, written 10 or 十, and grades in school order. Lists sort by the stored keys (`sortname`).

-- The value of a number in figures or Chinese numerals, without leading zeros: 十二, 一百零三, 二〇二五, 007.
create function access.number_of(word text) returns text language sql immutable parallel safe set search_path = '' as $$
  select case
    when d !~ '[十百]' then ltrim(d, '0')
    else (100 * case when d ~ '百' then coalesce(substring(d from '(\d)百'), '1')::int else 0 end
      + 10 * case when d ~ '十' then coalesce(substring(d from '(\d)十'), '1')::int else 0 end
      + coalesce(substring(d from '(\d)$'), '0')::int)::text
  end
  from translate(word, '〇零一二三四五六七八九', '00123456789') d
$$;

-- The sort key of a name. A grade becomes '!', its phase and its year (src/domain/person/grades.ts); a number gets eight figures;
-- brackets and blanks only separate. 初二（10）班 and 八年级十班 have the same key.
create function access.sort_name(name text) returns text language sql immutable parallel safe set search_path = '' as $$
  select coalesce(string_agg(case
      when phase is not null or year is not null then '!' || case
        when phase ~ '^小' then '1' || n
        when phase ~ '^初' then '2' || n
        when phase ~ '^高' then '3' || n
        when phase ~ '^[职中]' then '4' || n
        when phase ~ '^[大本]' then '5' || n
        when phase ~ '^[研硕]' then '6' || n
        when n::int <= 6 then '1' || n
        when n::int <= 9 then '2' || (n::int - 6)
        else '3' || (n::int - 9) end
      when t[5] is not null then '!20'
      when t[6] is not null then lpad(access.number_of(t[6]), greatest(8, length(access.number_of(t[6]))), '0')
      when t[7] is not null then ''
      else t[8] end, '' order by place), '')
  from regexp_matches(lower(normalize(name, nfkc)),
      '(小学|初中|初|高中|高|职高|中职|中专|职|大学|本科|大专|大|研究生|硕士|研)?(十[一二]?|1[0-2]|[一二三四五六七八九1-9])年级'
      '|(小|初|高|职高|职|大|研)([一二三四五六]|[1-6](?!\d))'
      '|(预备年级|预备班|预初|初预)'
      '|(\d+|[〇零一二三四五六七八九十][〇零一二三四五六七八九十百]*)'
      '|([][\s(){}【】〔〕《》]+)'
      '|(.)', 'g') with ordinality m (t, place)
    cross join lateral (select coalesce(t[1], t[3]) as phase, coalesce(t[2], t[4]) as year) g
    cross join lateral (select access.number_of(year) as n) v
$$;

-- The sort key of a team: a name without a grade comes at its place within the grade of the team.
create function access.team_sort_name(gradename text, teamname text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case when k ~ '^!' or coalesce(gradename, '') = '' then k else access.sort_name(gradename) || k end
  from access.sort_name(teamname) k
$$;

grant execute on function access.number_of(text), access.sort_name(text), access.team_sort_name(text, text)
  to xinli_app, xinli_stats, xinli_respondent;

alter table muser add column sortname text collate "C" not null generated always as (access.sort_name(insname)) stored;
alter table dept add column sortname text collate "C" not null generated always as (access.sort_name(deptname)) stored;
alter table assessteam add column
  sortname text collate "C" not null generated always as (access.team_sort_name(gradename, teamname)) stored;
grant select (sortname) on muser to xinli_stats;
drop index muser_name;
create index muser_sortname on muser (sortname, musercode);
drop index muser_children;
create index muser_children_sorted on muser (parentmusercode, sortname) where isdeleted = 0;
