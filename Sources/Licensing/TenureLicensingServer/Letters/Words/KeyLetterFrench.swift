import TenureServerKit

enum KeyLetterFrench {
    static let words: [KeyLetterText: Wording] = [
        .keySubject: "Votre clé de licence pour {product}",
        .keysSubject: "Vos clés de licence pour {product}",
        .replacedSubject: "Votre nouvelle clé de licence pour {product}",
        .greeting: "Bonjour {name},",
        .greetingUnnamed: "Bonjour,",
        .keysIntro: .counted(
            one: "voici votre clé de licence pour {product}, de la part de {vendor}.",
            other: "voici vos {count} clés de licence pour {product}, de la part de {vendor}."),
        .replacedIntro: """
        votre licence pour {product} a une nouvelle clé, de la part de {vendor}. L’ancienne clé n’active \
        plus aucun appareil.
        """,
        .devicesContinue: "Les appareils sur lesquels {product} est activé continuent avec l’ancienne clé.",
        .devicesContinueIfEarlier: """
        Les appareils activés avant le {date} continuent avec l’ancienne clé. Tous les autres s’arrêtent à \
        leur prochaine vérification, jusqu’à ce que vous y saisissiez la nouvelle clé.
        """,
        .devicesStop: """
        Les appareils avec l’ancienne clé s’arrêtent à leur prochaine vérification, jusqu’à ce que vous y \
        saisissiez la nouvelle clé.
        """,
        .plan: "Formule : {plan}",
        .validUntil: "Valable jusqu’au : {date}",
        .expiredOn: "Expirée le : {date}",
        .neverExpires: "Validité : sans fin",
        .startsWhenActivated: "Début : à la première activation",
        .howToActivate: "Pour activer {product}, ouvrez-le et saisissez la clé.",
        .orLink: "Ou ouvrez ce lien sur l’appareil à activer :",
        .linkNotOpened: """
        Certaines messageries web n’ouvrent pas de tels liens. Dans ce cas, saisissez la clé dans {product}.
        """,
        .support: "Une question ? Écrivez à {contact}",
    ]
}
