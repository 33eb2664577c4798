import TenureServerKit

enum KeyLetterSpanish {
    static let words: [KeyLetterText: Wording] = [
        .keySubject: "Su clave de licencia de {product}",
        .keysSubject: "Sus claves de licencia de {product}",
        .replacedSubject: "Su nueva clave de licencia de {product}",
        .greeting: "Hola, {name}:",
        .greetingUnnamed: "Hola:",
        .keysIntro: .counted(
            one: "Esta es su clave de licencia de {product}, de parte de {vendor}.",
            other: "Estas son sus {count} claves de licencia de {product}, de parte de {vendor}."),
        .replacedIntro: """
        Su licencia de {product} tiene una clave nueva, de parte de {vendor}. La clave anterior ya no activa \
        ningún dispositivo.
        """,
        .devicesContinue: "Los dispositivos en los que {product} está activado continúan con la clave anterior.",
        .devicesContinueIfEarlier: """
        Los dispositivos activados antes del {date} continúan con la clave anterior. Todos los demás se \
        detienen en la próxima comprobación, hasta que introduzca en ellos la clave nueva.
        """,
        .devicesStop: """
        Los dispositivos con la clave anterior se detienen en la próxima comprobación, hasta que introduzca \
        en ellos la clave nueva.
        """,
        .plan: "Plan: {plan}",
        .validUntil: "Válida hasta: {date}",
        .expiredOn: "Caducó el: {date}",
        .neverExpires: "Validez: sin fin",
        .startsWhenActivated: "Comienza: con la primera activación",
        .howToActivate: "Para activar {product}, ábralo e introduzca la clave.",
        .orLink: "O abra este enlace en el dispositivo que quiera activar:",
        .linkNotOpened: """
        Algunos correos web no abren estos enlaces. En ese caso, introduzca la clave en {product}.
        """,
        .support: "¿Tiene alguna pregunta? Escriba a {contact}",
    ]
}
