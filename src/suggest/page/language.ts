/** Words of forms that are seldom words of another language. */
const english =
  /\b(?:the|your|you|and|of|for|with|our|my|please|is|are|what|which|how|this|all|an?|to|email address|first name|last name|search|submit|save|log ?in|sign (?:in|up)|send|subscribe|password|username|message|address|phone|add|create|update|delete|continue|next|cancel|upload|select|choose|city|date|title|number|amount|full|job|weight|height|day|month|year|birth|postcode|zip|state|country|company|website|comments?|feedback|subject|colou?rs?|size|price|quantity|category|details|date|time|start|end|street|town|account|file|photo|image|yes|by|per|only|other|item|label|button|option|accept|cookies|agree|terms)\b/i;
const other =
  /(?<!\p{L})(?:der|das|und|ihre?|für|bitte|absenden|senden|speichern|anmelden|abonnieren|suchen?|weiter|kontakt|nachricht|passwort|vorname|nachname|el|los|las|para|su|tu|enviar|buscar|guardar|correo|contraseña|nombre|mensaje|siguiente|une?|le|les|des|votre|vous|pour|rechercher|envoyer|enregistrer|courriel|nom|prénom|suivant|gli|per|cerca|invia|salva|nome|het|een|voor|zoeken|verzenden|opslaan|naam|och|sök|skicka|spara|jest|szukaj|wyślij|zapisz|hasło|não|você|seu|sua|salvar|pesquisar|senha|ara|gönder|kaydet)(?!\p{L})/iu;

export type Language = 'English' | 'other' | 'unknown';

/** The language of texts: that which the page declares, or else by their words. */
export function languageOf(declared: string, texts: readonly string[]): Language {
  const text = texts.join(' ').slice(0, 1500);
  if (!/\p{L}/u.test(text)) return 'English';
  const foreign = text.match(/[^\p{Script=Latin}\P{L}]/gu)?.length ?? 0;
  if (foreign > (text.match(/\p{Script=Latin}/gu)?.length ?? 0)) return 'other';
  if (declared !== '') return /^en\b/.test(declared) ? 'English' : 'other';
  if (other.test(text)) return 'other';
  return english.test(text) ? 'English' : 'unknown';
}
