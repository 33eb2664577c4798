import TenureServerKit

enum KeyLetterGerman {
    static let words: [KeyLetterText: Wording] = [
        .keySubject: "Ihr Lizenzschlüssel für {product}",
        .keysSubject: "Ihre Lizenzschlüssel für {product}",
        .replacedSubject: "Ihr neuer Lizenzschlüssel für {product}",
        .greeting: "Guten Tag {name},",
        .greetingUnnamed: "Guten Tag,",
        .keysIntro: .counted(
            one: "das ist Ihr Lizenzschlüssel für {product} von {vendor}.",
            other: "das sind Ihre {count} Lizenzschlüssel für {product} von {vendor}."),
        .replacedIntro: """
        Ihre Lizenz für {product} hat einen neuen Schlüssel von {vendor}. Mit dem alten lässt sich kein \
        Gerät mehr aktivieren.
        """,
        .devicesContinue: "Geräte, auf denen {product} aktiviert ist, laufen mit dem alten Schlüssel weiter.",
        .devicesContinueIfEarlier: """
        Geräte, die vor dem {date} aktiviert wurden, laufen mit dem alten Schlüssel weiter. Alle anderen \
        halten bei der nächsten Prüfung an, bis Sie dort den neuen Schlüssel eingeben.
        """,
        .devicesStop: """
        Geräte mit dem alten Schlüssel halten bei der nächsten Prüfung an, bis Sie dort den neuen Schlüssel \
        eingeben.
        """,
        .plan: "Tarif: {plan}",
        .validUntil: "Gültig bis: {date}",
        .expiredOn: "Abgelaufen am: {date}",
        .neverExpires: "Gültig: ohne Ende",
        .startsWhenActivated: "Beginnt: mit der ersten Aktivierung",
        .howToActivate: "Um {product} zu aktivieren, öffnen Sie es und geben Sie den Schlüssel ein.",
        .orLink: "Oder öffnen Sie diesen Link auf dem Gerät, das Sie aktivieren möchten:",
        .linkNotOpened: """
        Manche Mailprogramme im Browser öffnen solche Links nicht. Geben Sie dann den Schlüssel in {product} \
        ein.
        """,
        .support: "Haben Sie eine Frage? Schreiben Sie an {contact}",
    ]
}
