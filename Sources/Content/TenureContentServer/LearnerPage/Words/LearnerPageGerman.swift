import TenureServerKit

enum LearnerPageGerman {
    static let words: [LearnerPageText: Wording] = [
        .matter: "Inhalte auf meinen Geräten",
        .linkShows: """
        Er zeigt Ihre Kurse und die Inhalte auf Ihren Geräten. Ein Gerät, das Sie nicht mehr verwenden, \
        können Sie dort freigeben.
        """,
        .title: "Ihre Inhalte",
        .closedText: """
        Diese Seite zeigt Ihre Kurse und Geräte. Sie öffnet sich nur mit einem Einmal-Link. Bitten Sie \
        dort um einen, wo Sie Ihre Inhalte erhalten haben.
        """,
        .lead: """
        Ihre Inhalte, was Sie abspielen können und was auf Ihren Geräten gespeichert ist, so wie die \
        Geräte es zuletzt gemeldet haben.
        """,
        .nothingYet: "Sie sind noch für nichts angemeldet.",
        .content: "Inhalte",
        .otherContent: "Weitere Inhalte",
        .noneStored: "Auf Ihren Geräten sind keine Inhalte gespeichert.",
        .storedOn: .counted(
            one: "Inhalte sind auf einem Gerät gespeichert.",
            other: "Inhalte sind auf {count} Geräten gespeichert."),
        .enrolment: "Anmeldung",
        .devices: "Geräte",
        .addDevice: "Weiteres Gerät",
        .devicesOf: "{devices} von {limit}",
        .devicesUnlimited: "{devices}, ohne Begrenzung",
        .fromDate: "ab {date}",
        .afterRelease: "nach der Freigabe eines Geräts",
        .activeNoEnd: "läuft, ohne Ende",
        .openUntil: "läuft bis {date}",
        .playable: "Abspielbar",
        .needsRenewal: "Muss verlängert werden",
        .notDownloaded: "Nicht geladen",
        .locked: "Gesperrt",
        .untilDate: "Bis {date}",
        .noExpiry: "Ohne Ablaufdatum",
        .why: "Warum",
        .whyNotRenewed: "Warum nicht verlängert wird",
        .howLong: "Wie lange",
        .whatToDo: "Was Sie tun können",
        .plays: .counted(one: "{count} Wiedergabe", other: "{count} Wiedergaben"),
        .playTime: "{time} Spielzeit",
        .notReported: "{limit}, Nutzung nicht gemeldet",
        .playsLeft: "noch {left} von {granted} Wiedergaben",
        .playTimeLeft: "noch {time} Spielzeit",
        .onlineOnly: "nur mit Internet",
        .detail: "; {detail}",
        .noTime: "0 s",
        .hours: "{number} Std.",
        .minutes: "{number} Min.",
        .seconds: "{number} Sek.",
        .untilConnects: "Bis sich das Gerät mit dem Server verbindet.",
        .permanently: "Dauerhaft für diese Anmeldung.",
        .untilReleased: "Bis ein Gerät freigegeben wird.",
        .untilChanged: "Bis der Anbieter es ändert.",
        .more: .counted(one: "{count} weiterer wird nicht gezeigt.", other: "{count} weitere werden nicht gezeigt."),
        .showStored: "Gespeicherte Inhalte zeigen",
        .releaseWarning: """
        Alle Inhalte darauf werden zurückgegeben. Das Gerät erfährt davon bei der nächsten Verbindung mit \
        dem Internet. Bis dahin spielt es vielleicht noch ab und zählt zu Ihrer Höchstzahl. Nur der \
        Support kann eine Freigabe rückgängig machen.
        """,
        .device: "Gerät {code}",
        .noSuchDevice: "Dieses Gerät haben Sie nicht. Vielleicht ist es schon freigegeben.",
        .deleted: "Der Anbieter hat den Inhalt vom Gerät löschen lassen.",
        .revoked: "Der Anbieter hat die Lizenz widerrufen.",
        .expired: "Der Anbieter hat die Lizenz beendet.",
        .returned: "Die Lizenz wurde zurückgegeben.",
        .released: "Das Gerät wurde freigegeben.",
        .unknown: "Der Server kennt die Lizenz nicht.",
        .startsOn: "Er beginnt am {date}.",
        .expiredOn: "Er ist am {date} abgelaufen.",
        .windowOver: "Die Zeit seit der ersten Wiedergabe endete am {date}.",
        .playsUsedUp: .counted(
            one: "Die einzige Wiedergabe ist verbraucht.",
            other: "Alle {count} Wiedergaben sind verbraucht."),
        .playTimeUsedUp: "Die ganze Spielzeit ist verbraucht: {time}.",
        .checkInOverdue: "Das Gerät hätte sich bis {date} mit dem Server verbinden müssen.",
        .playerExpired: "Der Player hat am {date} gemeldet, dass der Inhalt abgelaufen ist.",
        .onlineNeeded: "Der Inhalt spielt nur mit einer Verbindung zum Internet.",
        .clockSetBack: "Die Uhr des Geräts wurde zurückgestellt.",
        .enrolmentUnknown: "Keine Ihrer Anmeldungen umfasst diesen Inhalt.",
        .enrolmentPaused: "Ihre Anmeldung ruht.",
        .enrolmentEnded: "Ihre Anmeldung ist beendet.",
        .enrolmentEndedOn: "Ihre Anmeldung endete am {date}.",
        .enrolmentStarts: "Ihre Anmeldung beginnt am {date}.",
        .deviceLimit: .counted(
            one: "{devices} von {count} Gerät ist in Benutzung.",
            other: "{devices} von {count} Geräten sind in Benutzung."),
        .notRenewable: "Der Inhalt kann nicht verlängert werden.",
        .renewalsUsed: .counted(
            one: "Er wurde einmal verlängert, öfter geht es nicht.",
            other: "Er wurde {count}-mal verlängert, öfter geht es nicht."),
        .renewableUntil: "Er konnte bis {date} verlängert werden.",
        .grantNeeded: "Das Gerät hat eine neuere Lizenz als der Server.",
        .releaseOff: "Geräte kann hier nur der Support freigeben. Schreiben Sie ihm, um welches Gerät es geht.",
        .connect: """
        Verbinden Sie das Gerät mit dem Internet und öffnen Sie den Inhalt dort. Er wird dann von selbst \
        verlängert.
        """,
        .wait: "Sie müssen nichts tun.",
        .releaseBelow: "Geben Sie unten ein Gerät frei, das Sie nicht mehr verwenden.",
        .releaseBySupport: "Bitten Sie den Support, ein Gerät freizugeben, das Sie nicht mehr verwenden.",
        .setClock: "Stellen Sie die Uhr des Geräts richtig, oder verbinden Sie es einmal mit dem Internet.",
        .vendor: "Schreiben Sie dem Support und nennen Sie die Vorgangsnummer am Ende dieser Seite.",
        .appConnect: "Verbinden Sie sich mit dem Internet und öffnen Sie den Inhalt noch einmal.",
        .appWait: "Warten Sie, bis er beginnt.",
        .appRelease: "Geben Sie ein Gerät frei, das Sie nicht mehr verwenden.",
        .appSetClock: "Stellen Sie die Uhr des Geräts richtig.",
        .appVendor: "Schreiben Sie dem Support.",
        .playerBusy: "Der Lizenzserver ist ausgelastet. Bitte versuchen Sie es in einer Minute wieder.",
        .playerUnread: "Die Anfrage war nicht verständlich.",
    ]
}
