import TenureServerKit

enum LicensePageGerman {
    static let words: [LicensePageText: Wording] = [
        .closedTitle: "Ihre Lizenz",
        .closedText: """
        Diese Seite zeigt Ihre Lizenz und deren Geräte. Sie öffnet sich nur mit einem Einmal-Link. Bitten Sie \
        den Support um einen Link.
        """,
        .linkShows: "Er zeigt Ihre Lizenz und deren Geräte.",
        .matter: "Lizenz",
        .yourLicense: "Ihre Lizenz",
        .plan: "Tarif",
        .key: "Schlüssel",
        .validUntil: "Gültig bis",
        .expiredOn: "Abgelaufen am",
        .worksUntil: "Nutzbar bis",
        .neverExpires: "Sie läuft nie ab",
        .starts: "Beginnt",
        .startsWhenActivated: "mit der ersten Aktivierung",
        .startsByThen: "mit der ersten Aktivierung, spätestens am {date}",
        .notActivated: "Noch nicht aktiviert",
        .active: "Aktiv",
        .inGrace: "In der Nachfrist",
        .expired: "Abgelaufen",
        .suspended: "Ausgesetzt",
        .revoked: "Widerrufen",
        .returned: "Zurückgegeben",
        .testLicense: "Testlizenz",
        .whyTitle: "Warum sie nicht funktioniert",
        .reducedTitle: "Was noch funktioniert",
        .graceTitle: "Ihre Lizenz ist abgelaufen, funktioniert aber noch",
        .whatHelps: "Was hilft",
        .whenItChanges: "Wann sich das ändert",
        .renew: "Verlängern",
        .statedReason: "Der Grund, den {vendor} nennt",
        .suspendedReason: "{vendor} hat Ihre Lizenz ausgesetzt.",
        .suspendedHelp: "Den Grund nennt Ihnen der Support. Ihre Geräte bleiben aktiviert.",
        .settleHelp: "Klären Sie das mit dem Support. Ihre Geräte bleiben aktiviert.",
        .suspendedChange: "Sobald {vendor} die Lizenz wieder freischaltet. Dann funktioniert sie sofort wieder.",
        .refundSuspends: "{vendor} hat Ihre Lizenz ausgesetzt, weil die Zahlung erstattet wurde.",
        .disputeSuspends: "{vendor} hat Ihre Lizenz ausgesetzt, weil die Zahlung beanstandet wurde.",
        .disputeChange: """
        Sobald die Beanstandung zugunsten von {vendor} entschieden ist oder {vendor} die Lizenz wieder freischaltet. \
        Dann funktioniert sie sofort wieder.
        """,
        .revokedReason: "{vendor} hat Ihre Lizenz widerrufen.",
        .revokedHelp: "Den Grund nennt Ihnen der Support. {vendor} kann eine neue Lizenz ausstellen.",
        .revokedChange: "Gar nicht: Eine widerrufene Lizenz lässt sich nicht wiederherstellen.",
        .refundRevokes: "{vendor} hat Ihre Lizenz widerrufen, weil die Zahlung erstattet wurde.",
        .returnedReason: "Ihre Lizenz wurde zurückgegeben.",
        .returnedHelp: """
        Verwenden Sie einen anderen Lizenzschlüssel, oder bitten Sie den Support um eine neue Lizenz.
        """,
        .expiredReason: "Ihre Lizenz ist am {date} abgelaufen.",
        .expiredAfterGraceReason: "Ihre Lizenz ist am {date} abgelaufen, und die Nachfrist endete am {end}.",
        .graceReason: "Sie ist am {date} abgelaufen und funktioniert noch bis {end}.",
        .renewHelp: "Verlängern Sie sie. Ihre Geräte bleiben aktiviert und funktionieren sofort wieder.",
        .renewInTimeHelp: "Verlängern Sie sie vorher, dann ändert sich auf Ihren Geräten nichts.",
        .askToRenewHelp: "Bitten Sie den Support, sie zu verlängern. Ihre Geräte bleiben aktiviert.",
        .reducedMode: "{product} funktioniert weiterhin, aber eingeschränkt.",
        .renewChange: "Sobald sie verlängert ist.",
        .otherHelp: "Fragen Sie den Support.",
        .otherChange: "Sobald {vendor} etwas daran ändert.",
        .dateChange: "Von selbst am {date}.",
        .noDevice: "Ihre Lizenz ist auf keinem Gerät aktiv.",
        .noDeviceOfLimit: .counted(
            one: "Ihre Lizenz ist auf keinem Gerät aktiv. Sie können sie auf 1 Gerät verwenden.",
            other: "Ihre Lizenz ist auf keinem Gerät aktiv. Sie können sie auf bis zu {count} Geräten verwenden."),
        .devicesInUse: .counted(
            one: "{used} von 1 Gerät in Benutzung.", other: "{used} von {count} Geräten in Benutzung."),
        .devicesActive: .counted(
            one: "Ihre Lizenz ist auf 1 Gerät aktiv.", other: "Ihre Lizenz ist auf {count} Geräten aktiv."),
        .devicesHidden: .counted(
            one: "1 weiteres Gerät wird nicht gezeigt.", other: "{count} weitere Geräte werden nicht gezeigt."),
        .limitReached: "Ihre Lizenz kann im Augenblick auf keinem weiteren Gerät aktiviert werden.",
        .releaseToActivate: "Geben Sie ein Gerät frei, das Sie nicht mehr verwenden, um ein anderes zu aktivieren.",
        .askToRelease: "Bitten Sie den Support, ein Gerät freizugeben, das Sie nicht mehr verwenden.",
        .devicesUsedUp: """
        Ihre Lizenz wurde in den letzten {days} Tagen auf {devices} verschiedenen Geräten verwendet. Ein \
        weiteres \
        können Sie ab {date} aktivieren.
        """,
        .unnamedDevice: "Gerät ohne Namen",
        .activeSince: "Aktiv seit",
        .releaseWarning: """
        Ein anderes Gerät kann sofort aktiviert werden. Auf diesem hier funktioniert {product} ab der nächsten \
        Verbindung mit dem Internet nicht mehr. Nur der Support kann das rückgängig machen.
        """,
        .releaseOff:
            "Nur der Support kann Geräte dieser Lizenz freigeben. Schreiben Sie ihm, um welches Gerät es geht.",
        .releaseStopped: "Solange die Lizenz nicht funktioniert, lassen sich ihre Geräte hier nicht ändern.",
        .noSuchDevice: "Auf diesem Gerät ist die Lizenz nicht aktiv.",
    ]
}
