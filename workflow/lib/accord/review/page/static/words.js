// What people read: per queue the question, and what each decision means there.

const whole = (right, wrong) => ({ uphold: right, dismiss: wrong, drop: "Drop the image" });

export const QUEUES = {
  logos: {
    title: "Logos", about: "Trade marks that have to be painted out",
    question: "Is a logo outlined?", ...whole("Logo: paint it out", "No logo: leave it"), draws: true,
  },
  personal_data: {
    title: "Personal data", about: "Plates, cards, screens, bystanders",
    question: "Does this identify somebody?", ...whole("Yes: paint it out", "No: leave it"), draws: true,
  },
  inpainting: {
    title: "Inpainting", about: "What was painted out, before and after",
    question: "Is the painted region good?", ...whole("No: paint it again", "Good as it is"), draws: true,
  },
  duplicates: {
    title: "Duplicates", about: "Two images side by side",
    question: "Do both show the same?", ...whole("Same: the left image goes", "Different: both stay"),
  },
  web: {
    title: "Web matches", about: "Subjects that may be found on the web",
    question: "Is this person's image on the web?", ...whole("Yes: it goes", "No: it stays"),
  },
  safety: {
    title: "Safety", about: "May be disturbing; shown only when you ask",
    question: "Is this unsafe to publish?", ...whole("Unsafe: it goes", "Safe: it stays"),
  },
  objectionable: {
    title: "Every image", about: "Each is seen before it is published, many at once",
    question: "Which of these are objectionable?", ...whole("Objectionable: it goes", "Fine: it stays"), says: true, view: "grid",
  },
  patterns: {
    title: "Patterns", about: "What is rare among honest people: true, but is it a problem?",
    question: "Is this a problem?", ...whole("A problem: the image goes", "No problem: it stays"),
    forAll: { uphold: "A problem: they all go", dismiss: "No problem: they all stay", drop: "Drop them all" },
  },
  agreement: {
    title: "Agreement", about: "Draw what annotators were asked to draw",
    question: "Draw the region yourself", ...whole("Done: as drawn", "Nothing to draw"), draws: true,
  },
  annotations: {
    title: "Annotations", about: "Whether boxes, points and outlines are right",
    question: "Is this annotation right?", ...whole("Wrong: the image goes", "Right: it stays"), shows: true,
    of: {
      face_box: "Does the box fit the face?", person_box: "Does the box fit the whole person?",
      landmarks: "Is each point on its part of the face?", keypoints: "Is each point on its part of the body?", segments: "Does each outline fit its part?",
    },
  },
  skin: {
    title: "Skin types", about: "The skin of people in videos, each rater alone",
    question: "Which type is this person's skin?", ...whole("A type", "Can't be judged"), rates: true,
    of: { fitzpatrick: "Which Fitzpatrick type is this person's skin?", monk: "Which Monk tone is this person's skin?" },
  },
  looks: {
    title: "Looks of faces", about: "What each rater, alone, takes a face for",
    question: "What do you take this person for?", ...whole("A value", "Can't be judged"), rates: true,
    of: { gender: "Which gender do you take this person for?", age_presentation: "How old does this person look?" },
  },
  identities: {
    title: "Faces of one person", about: "Whether each face shows the person whom most show, a query at once",
    question: "Which of these faces show somebody else than most of them?", ...whole("Said", "Can't be told"), rates: true, view: "faces",
  },
  videos: {
    title: "Videos", about: "Painted videos, each watched before it is published",
    question: "May this video be published?", uphold: "No: withhold it", dismiss: "Yes: keep it", drop: "Drop the video", says: true, plays: true,
  },
};
/** What a decision on an item means: a pattern is of all images of a person, or of several people. */
export const meaning = (item, decision) => (item.kind.startsWith("pattern_") ? QUEUES[item.queue].forAll : null)?.[decision] ?? QUEUES[item.queue][decision];
/** What is asked about an item: in some queues another thing of each kind. */
export const asked = (item) => QUEUES[item.queue].of?.[item.kind] ?? QUEUES[item.queue].question;
export const DISPUTES = { title: "Adjudication", about: "Two people decided differently: you have the last word" };

export const KEYS = { uphold: "u", dismiss: "d", drop: "x" };
export const DONE = { uphold: "Upheld", dismiss: "Dismissed", drop: "Dropped" };
export const SIGNS = { uphold: "⚑", dismiss: "✓", drop: "✕" };
export const NAMES = { face: "", image: "Image", other: "Other image", before: "Before", after: "After" };

/** A kind of region, as people say it. */
export const spoken = (kind) => kind.replaceAll("_", " ");

/** A share as a whole percentage; a dash where it is undefined. */
export const percent = (value) => (value === null || value === undefined ? "–" : `${Math.round(value)} %`);

export const number = (value, digits = 2) => (value === null || value === undefined ? "–" : Number(value).toFixed(digits));

export const GRID_HELP = [
  ["enter", "all that are not marked are fine: next page"], ["← ↑ → ↓", "choose a picture"], ["space", "mark the chosen picture as objectionable, or as fine again"],
  ["1 2 3 4 5", "mark it, and say what it is"], ["v", "look at it closely"], ["- +", "fewer, more pictures on a page"],
  ["s", "skip: they come again later"], ["z", "undo the last page"], ["esc", "back"], ["?", "these keys"],
];
export const FACES_HELP = [
  ["enter", "all that are not marked are the person whom most show: next query"], ["← ↑ → ↓", "choose a face"],
  ["1 2 3", "the chosen face: same person as most, somebody else, can't say"], ["c", "crops, or whole pictures"], ["v", "look at it closely"],
  ["s", "skip: they come again later"], ["z", "undo the last query"], ["esc", "back"], ["?", "these keys"],
];
export const RATING_HELP = [
  ["1 2 3 … 0", "the first, second, third ... answer; 0 is the tenth"], ["u", "not sure, or sure again: press it before a type of skin"], ["d", "it can't be judged"],
  ["s", "skip: it comes again later"], ["z", "undo the last vote"], ["+ -", "zoom in, out (or the wheel)"], ["n", "note"], ["esc", "back"], ["?", "these keys"],
];
export const HELP = [
  ["u d x", "uphold, dismiss, drop"], ["s", "skip: it comes again later"], ["z", "undo the last decision"],
  ["+ - 0", "zoom in, out, fit (or the wheel)"], ["← ↑ → ↓", "move the picture, or the chosen region"],
  ["b", "before and after"], ["c", "slider between before and after"], ["r", "show a veiled picture"],
  ["e w p m", "choose, box, polygon, brush"], ["shift + arrows", "resize the chosen region"], ["alt + brush", "wipe away"],
  ["[ ]", "thinner, thicker brush; slider"], ["del", "delete the chosen region"], ["tab", "next element"],
  ["k", "kind of region"], ["n", "note"], ["1 2", "take over an opinion (adjudication)"], ["f", "to the region"], ["l", "names of an annotation's parts"], ["esc", "back"], ["?", "these keys"],
];
const FILM_HELP = [
  ["u d x", "withhold it, keep it, drop it"], ["k", "why it is withheld"], ["space", "play, pause"], ["← →", "5 seconds back, on"], [", .", "a frame back, on"],
  ["[ ]", "the moment before, the next one"], ["0", "to the start"], ["r", "show a veiled video"], ["s", "skip: it comes again later"], ["z", "undo the last decision"], ["n", "note"],
  ["1 2", "take over an opinion (adjudication)"], ["esc", "back"], ["?", "these keys"],
];
/** The keys of a queue: pairs of keys and what they do. */
export const helpOn = (queue) => (QUEUES[queue]?.rates ? RATING_HELP : QUEUES[queue]?.plays ? FILM_HELP : HELP);
