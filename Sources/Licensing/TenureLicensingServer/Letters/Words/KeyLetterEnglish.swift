import TenureServerKit

enum KeyLetterEnglish {
    static let words: [KeyLetterText: Wording] = [
        .keySubject: "Your license key for {product}",
        .keysSubject: "Your license keys for {product}",
        .replacedSubject: "Your new license key for {product}",
        .greeting: "Hello {name},",
        .greetingUnnamed: "Hello,",
        .keysIntro: .counted(
            one: "this is your license key for {product}, from {vendor}.",
            other: "these are your {count} license keys for {product}, from {vendor}."),
        .replacedIntro: """
        your license for {product} has a new key, from {vendor}. The old key activates no device any more.
        """,
        .devicesContinue: "Devices on which {product} is activated continue with the old key.",
        .devicesContinueIfEarlier: """
        Devices that were activated before {date} continue with the old key. All others stop at their next \
        check, until you enter the new key there.
        """,
        .devicesStop: "Devices with the old key stop at their next check, until you enter the new key there.",
        .plan: "Plan: {plan}",
        .validUntil: "Valid until: {date}",
        .expiredOn: "Expired on: {date}",
        .neverExpires: "Valid: without an end",
        .startsWhenActivated: "Starts: when it’s first activated",
        .howToActivate: "To activate {product}, open it and enter the key.",
        .orLink: "Or open this link on the device that you want to activate:",
        .linkNotOpened: """
        Some web mail programs don’t open such links. If yours doesn’t, enter the key in {product}.
        """,
        .support: "Do you have a question? Write to {contact}",
    ]
}
