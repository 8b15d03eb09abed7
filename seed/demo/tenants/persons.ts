import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { studentMean } from '#seed/demo/content/answers.ts';
import { nameOf, surnameOf } from '#seed/demo/content/names.ts';
import { chanceOf } from '#seed/demo/content/random.ts';
import { untested, type Script } from '#seed/demo/content/personas.ts';

/** Somebody who is assessed, as the makers of the demonstration know them. */
export interface Person {
  username: string;
  gender: '01' | '02';
  birthday: string;
  /** what they identify with at the entry: number of student, or telephone */
  key: string;
  /** distress against the mean of their group at the first test */
  theta: number;
  guardian: { name: string; relation: '01' | '02' | '03'; phonenumber: string };
  script?: Script;
}
export interface Student extends Person {
  gradecode: string;
  gradename: string;
  classno: number;
  teamname: string;
  boarding: boolean;
  leftbehind: boolean;
  /** on the register, not asked to any screening yet */
  waits: boolean;
}

/** Not assignable as a number of a telephone: 1000000 and four digits. */
export const phoneOf = (index: number) => `1000000${String(index % 10_000).padStart(4, '0')}`;

const phases: Record<string, { code: string; title: string; entry: number; names: readonly string[] }> = {
  P: {
    code: '01',
    title: '小学',
    entry: 6,
    names: ['小学一年级', '小学二年级', '小学三年级', '小学四年级', '小学五年级', '小学六年级'],
  },
  J: { code: '02', title: '初中', entry: 12, names: ['初一', '初二', '初三'] },
  S: { code: '03', title: '高中', entry: 15, names: ['高一', '高二', '高三'] },
};
export const eduphaseOf = (gradecode: string) => phases[gradecode[0] as string] as (typeof phases)[string];

export interface ClassPlan {
  gradecode: string;
  classno: number;
  size: number;
  /** on the register, not asked to any screening yet */
  waits?: boolean;
}

/** The pupils of a school by class. `start` is the year the school year began in; `prefix` keeps numbers of schools apart. */
export function studentsOf(
  seed: number,
  school: { prefix: string; start: number; boarding: number; classes: readonly ClassPlan[]; scripts: readonly Script[] },
): Student[] {
  const spread = chanceOf(seed, 'school', school.prefix).normal() * 0.08;
  const taken = new Set<string>([...school.scripts.map((script) => script.username), untested.username]);
  return school.classes.flatMap(({ gradecode, classno, size, waits = false }) => {
    const phase = eduphaseOf(gradecode);
    const grade = Number(gradecode[1]);
    const gradename = phase.names[grade - 1] as string;
    const teamname = `${gradename.replace('小学', '')}(${classno})班`;
    const climate = chanceOf(seed, 'class', `${school.prefix}${gradecode}${classno}`).normal() * 0.1 + spread;
    const scripted = school.scripts.filter((script) => script.teamname === teamname);
    return Array.from({ length: size }, (_, seat): Student => {
      const chance = chanceOf(seed, 'student', `${school.prefix}|${gradecode}|${classno}|${seat}`);
      const script = scripted[seat];
      const gender = script?.gender ?? (chance.hits(0.48) ? '02' : '01');
      // A year begins on 1 September: who enters at twelve was born in the twelve months before.
      const first = Date.UTC(school.start - phase.entry - grade, 8, 1);
      const born = new Date(first + chance.whole(0, 364) * 86_400_000).toISOString().slice(0, 10);
      const birthday = script?.birthday ?? born;
      let username = script?.username ?? nameOf(chance, gender, Number(birthday.slice(0, 4)));
      // One school knows everybody by name, which keeps its stories apart.
      while (!script && taken.has(username)) username = nameOf(chance, gender, Number(birthday.slice(0, 4)));
      taken.add(username);
      const boarding = chance.hits(school.boarding);
      const leftbehind = chance.hits(0.08);
      const singleparent = chance.hits(0.12);
      const index = chance.whole(0, 9999);
      const mother = chance.hits(0.6);
      return {
        username,
        gender,
        birthday,
        key: `${school.start - grade + 1}${school.prefix}${String(classno).padStart(2, '0')}${String(seat + 1).padStart(2, '0')}`,
        theta: chance.normal() + climate + studentMean({ gender, gradecode, boarding, leftbehind, singleparent }),
        guardian: {
          name:
            (mother ? surnameOf(chance) : (username[0] as string)) +
            chance.pick(mother ? ['丽', '敏', '静', '红', '娟', '艳'] : ['伟', '军', '勇', '强', '涛', '斌']),
          relation: mother ? '02' : '01',
          phonenumber: phoneOf(index),
        },
        gradecode,
        gradename,
        classno,
        teamname,
        boarding,
        leftbehind,
        waits,
        ...(script ? { script } : {}),
      };
    });
  });
}

export interface Woman extends Person {
  archive: Record<string, string | number | boolean>;
  /** days of gestation on the day of the anchor; from 281 on she has given birth */
  gestation: number;
}

/** Women before and after birth, spread evenly over the stages. */
export function womenOf(seed: number, count: number, anchor: Date, scripts: readonly Script[]): Woman[] {
  const takenUsernames = new Set(scripts.map((script) => script.username));
  return Array.from({ length: count }, (_, index): Woman => {
    const chance = chanceOf(seed, 'woman', index);
    const script = scripts[index];
    const age = Math.round(Math.min(45, Math.max(19, 29.5 + 4.2 * chance.normal())));
    const birthday = shanghaiDate(addDays(anchor, -365 * age - chance.whole(0, 364)));
    // From the ninth week to the third month after birth.
    const gestation = script ? 280 + 45 : 60 + Math.floor((index / count) * 290);
    const lmp = addDays(anchor, -gestation);
    const delivered = gestation >= 281;
    const parity = chance.next() < 0.58 ? 0 : chance.next() < 0.86 ? 1 : 2;
    const planned = chance.hits(0.8);
    const supportlevel = chance.whole(2, 5);
    const psychhistory = chance.hits(0.05);
    const cesarean = chance.hits(0.44);
    let username = script?.username ?? nameOf(chance, '02', Number(birthday.slice(0, 4)));
    while (!script && takenUsernames.has(username)) username = nameOf(chance, '02', Number(birthday.slice(0, 4)));
    takenUsernames.add(username);
    return {
      username,
      gender: '02',
      birthday,
      key: phoneOf(8000 + index),
      theta: chance.normal() - 0.1 + (planned ? 0 : 0.15) + (supportlevel <= 2 ? 0.3 : 0) + (psychhistory ? 0.6 : 0),
      guardian: { name: surnameOf(chance) + '伟', relation: '03', phonenumber: phoneOf(9000 + index) },
      gestation,
      archive: {
        lmpdate: shanghaiDate(lmp),
        edcdate: shanghaiDate(addDays(lmp, 280)),
        gravidity: parity + 1 + (chance.hits(0.2) ? 1 : 0),
        parity,
        fetuses: 1,
        planned: planned ? 1 : 0,
        supportlevel,
        psychhistory: psychhistory ? 1 : 0,
        checkupno: `RA${String(index + 1).padStart(5, '0')}`,
        ...(delivered
          ? { deliverydate: shanghaiDate(addDays(lmp, 280)), deliverymode: cesarean ? '02' : '01', babyoutcome: '01' }
          : {}),
      },
      ...(script ? { script } : {}),
    };
  });
}
