import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { studentMean } from '#seed/demo/content/answers.ts';
import { nameOf, surnameOf } from '#seed/demo/content/names.ts';
import { randomOf } from '#seed/demo/content/random.ts';
import { personWithoutExam, type Persona } from '#seed/demo/content/personas.ts';

/** A person of the demonstration. */
export interface Person {
  username: string;
  gender: '01' | '02';
  birthday: string;
  /** the second field at the entry: student number or telephone */
  key: string;
  /** distress at the first exam, relative to the mean of the group */
  theta: number;
  guardian: { name: string; relation: '01' | '02' | '03'; phonenumber: string };
  persona?: Persona;
}
/** A student of a school. */
export interface Student extends Person {
  gradecode: string;
  gradename: string;
  classno: number;
  teamname: string;
  boarding: boolean;
  leftbehind: boolean;
  /** registered, but not in any screening yet */
  isWaiting: boolean;
}

/** Returns a telephone number that no operator can assign: 1000000 and four digits. */
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
/** Returns the education phase of a grade. */
export const eduphaseOf = (gradecode: string) => phases[gradecode[0] as string] as (typeof phases)[string];

/** A class to create. */
export interface ClassPlan {
  gradecode: string;
  classno: number;
  size: number;
  /** registered, but not in any screening yet */
  isWaiting?: boolean;
}

/** Returns the students of a school by class. `start`: first year of the school year; `prefix`: makes the student numbers unique. */
export function createStudents(
  seed: number,
  school: { prefix: string; start: number; boarding: number; classes: readonly ClassPlan[]; personas: readonly Persona[] },
): Student[] {
  const spread = randomOf(seed, 'school', school.prefix).normal() * 0.08;
  const usedNames = new Set<string>([...school.personas.map((persona) => persona.username), personWithoutExam.username]);
  return school.classes.flatMap(({ gradecode, classno, size, isWaiting = false }) => {
    const phase = eduphaseOf(gradecode);
    const grade = Number(gradecode[1]);
    const gradename = phase.names[grade - 1] as string;
    const teamname = `${gradename.replace('小学', '')}(${classno})班`;
    const climate = randomOf(seed, 'class', `${school.prefix}${gradecode}${classno}`).normal() * 0.1 + spread;
    const classPersonas = school.personas.filter((persona) => persona.teamname === teamname);
    return Array.from({ length: size }, (_, seat): Student => {
      const random = randomOf(seed, 'student', `${school.prefix}|${gradecode}|${classno}|${seat}`);
      const persona = classPersonas[seat];
      const gender = persona?.gender ?? (random.occurs(0.48) ? '02' : '01');
      // The school year begins on 1 September. A student who enters at twelve was born in a school year, too.
      const first = Date.UTC(school.start - phase.entry - grade, 8, 1);
      const randomBirthday = new Date(first + random.integer(0, 364) * 86_400_000).toISOString().slice(0, 10);
      const birthday = persona?.birthday ?? randomBirthday;
      let username = persona?.username ?? nameOf(random, gender, Number(birthday.slice(0, 4)));
      // Names are unique in a school, because the seed finds persons by their names.
      while (!persona && usedNames.has(username)) username = nameOf(random, gender, Number(birthday.slice(0, 4)));
      usedNames.add(username);
      const boarding = random.occurs(school.boarding);
      const leftbehind = random.occurs(0.08);
      const singleparent = random.occurs(0.12);
      const index = random.integer(0, 9999);
      const isMother = random.occurs(0.6);
      return {
        username,
        gender,
        birthday,
        key: `${school.start - grade + 1}${school.prefix}${String(classno).padStart(2, '0')}${String(seat + 1).padStart(2, '0')}`,
        theta: random.normal() + climate + studentMean({ gender, gradecode, boarding, leftbehind, singleparent }),
        guardian: {
          name:
            (isMother ? surnameOf(random) : (username[0] as string)) +
            random.pick(isMother ? ['丽', '敏', '静', '红', '娟', '艳'] : ['伟', '军', '勇', '强', '涛', '斌']),
          relation: isMother ? '02' : '01',
          phonenumber: phoneOf(index),
        },
        gradecode,
        gradename,
        classno,
        teamname,
        boarding,
        leftbehind,
        isWaiting,
        ...(persona ? { persona } : {}),
      };
    });
  });
}

/** A woman before or after birth. */
export interface Woman extends Person {
  archive: Record<string, string | number | boolean>;
  /** days of gestation at the anchor; from 281 on the woman has given birth */
  gestation: number;
}

/** Returns women before and after birth, distributed evenly over the stages. */
export function createWomen(seed: number, count: number, anchor: Date, personas: readonly Persona[]): Woman[] {
  const usedNames = new Set(personas.map((persona) => persona.username));
  return Array.from({ length: count }, (_, index): Woman => {
    const random = randomOf(seed, 'woman', index);
    const persona = personas[index];
    const age = Math.round(Math.min(45, Math.max(19, 29.5 + 4.2 * random.normal())));
    const birthday = shanghaiDate(addDays(anchor, -365 * age - random.integer(0, 364)));
    // From the ninth week of gestation to the third month after birth.
    const gestation = persona ? 280 + 45 : 60 + Math.floor((index / count) * 290);
    const lmp = addDays(anchor, -gestation);
    const hasDelivered = gestation >= 281;
    const parity = random.next() < 0.58 ? 0 : random.next() < 0.86 ? 1 : 2;
    const isPlanned = random.occurs(0.8);
    const supportlevel = random.integer(2, 5);
    const psychhistory = random.occurs(0.05);
    const cesarean = random.occurs(0.44);
    let username = persona?.username ?? nameOf(random, '02', Number(birthday.slice(0, 4)));
    while (!persona && usedNames.has(username)) username = nameOf(random, '02', Number(birthday.slice(0, 4)));
    usedNames.add(username);
    return {
      username,
      gender: '02',
      birthday,
      key: phoneOf(8000 + index),
      theta: random.normal() - 0.1 + (isPlanned ? 0 : 0.15) + (supportlevel <= 2 ? 0.3 : 0) + (psychhistory ? 0.6 : 0),
      guardian: { name: surnameOf(random) + '伟', relation: '03', phonenumber: phoneOf(9000 + index) },
      gestation,
      archive: {
        lmpdate: shanghaiDate(lmp),
        edcdate: shanghaiDate(addDays(lmp, 280)),
        gravidity: parity + 1 + (random.occurs(0.2) ? 1 : 0),
        parity,
        fetuses: 1,
        planned: isPlanned ? 1 : 0,
        supportlevel,
        psychhistory: psychhistory ? 1 : 0,
        checkupno: `RA${String(index + 1).padStart(5, '0')}`,
        ...(hasDelivered
          ? { deliverydate: shanghaiDate(addDays(lmp, 280)), deliverymode: cesarean ? '02' : '01', babyoutcome: '01' }
          : {}),
      },
      ...(persona ? { persona } : {}),
    };
  });
}
