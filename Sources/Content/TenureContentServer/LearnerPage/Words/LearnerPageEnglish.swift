import TenureServerKit

enum LearnerPageEnglish {
    static let words: [LearnerPageText: Wording] = [
        .matter: "content on my devices",
        .linkShows: """
        It shows your courses and the content on your devices, and lets you release a device that you no \
        longer use.
        """,
        .title: "Your content",
        .closedText: """
        You need a one-time link to open this page, which shows your courses and devices. Ask for a link \
        where you got your content.
        """,
        .lead: """
        Your available content, what you can play, and what is stored on your devices, as they last \
        reported it.
        """,
        .nothingYet: "You aren’t enrolled in anything yet.",
        .content: "Content",
        .otherContent: "Other content",
        .yourDevices: "Your devices",
        .noneStored: "No content is stored on your devices.",
        .storedOn: .counted(one: "Content is stored on one device.", other: "Content is stored on {count} devices."),
        .releasesLeft: .counted(
            one: "You may release one more device this year.",
            other: "You may release {count} devices this year."),
        .enrolment: "Enrolment",
        .devices: "Devices",
        .addDevice: "Add a device",
        .devicesOf: "{devices} of {limit}",
        .devicesUnlimited: "{devices}, no limit",
        .fromDate: "from {date}",
        .afterRelease: "after you release one",
        .activeNoEnd: "active, no end date",
        .openUntil: "open until {date}",
        .playable: "Playable",
        .needsRenewal: "Needs renewal",
        .notDownloaded: "Not downloaded",
        .locked: "Locked",
        .untilDate: "Until {date}",
        .noExpiry: "No expiry date",
        .why: "Why",
        .whyNotRenewed: "Why it won’t be renewed",
        .howLong: "How long",
        .whatToDo: "What to do",
        .plays: .counted(one: "{count} play", other: "{count} plays"),
        .playTime: "{time} of play time",
        .notReported: "{limit}, usage not reported",
        .playsLeft: "{left} of {granted} plays left",
        .playTimeLeft: "{time} of play time left",
        .onlineOnly: "only while online",
        .detail: "; {detail}",
        .noTime: "0 s",
        .hours: "{number} h",
        .minutes: "{number} min",
        .seconds: "{number} s",
        .untilConnects: "Until the device connects to the server.",
        .permanently: "Permanently for this enrolment.",
        .untilReleased: "Until a device is released.",
        .untilChanged: "Until the vendor changes it.",
        .more: .counted(one: "{count} more isn’t shown.", other: "{count} more aren’t shown."),
        .lastSeen: "Last seen",
        .showStored: "Show stored content",
        .release: "Release this device",
        .releaseNow: "Yes, release {device}",
        .releaseWarning: """
        All content on it is returned, and the device learns this the next time it connects. Until then it \
        may keep playing and count against your limit. Only support can undo a release.
        """,
        .device: "Device {code}",
        .noSuchDevice: "You don’t have this device. It may have been released already.",
        .deleted: "The vendor had it deleted from the device.",
        .revoked: "The vendor revoked its license.",
        .expired: "The vendor ended its license.",
        .returned: "Its license was returned.",
        .released: "The device was released.",
        .unknown: "The server doesn't know its license.",
        .startsOn: "It starts on {date}.",
        .expiredOn: "It expired on {date}.",
        .windowOver: "The time since its first play ran out on {date}.",
        .playsUsedUp: .counted(one: "Its only play has been used.", other: "All {count} plays have been used."),
        .playTimeUsedUp: "All play time has been used: {time}.",
        .checkInOverdue: "Its device had to connect to the server by {date}.",
        .playerExpired: "Its player reported on {date} that it had expired.",
        .onlineNeeded: "It plays only while connected to the internet.",
        .clockSetBack: "The clock of the device was set back.",
        .enrolmentUnknown: "None of your enrolments covers it.",
        .enrolmentPaused: "Your enrolment is paused.",
        .enrolmentEnded: "Your enrolment has ended.",
        .enrolmentEndedOn: "Your enrolment ended on {date}.",
        .enrolmentStarts: "Your enrolment starts on {date}.",
        .deviceLimit: .counted(
            one: "{devices} of {count} device is in use.",
            other: "{devices} of {count} devices are in use."),
        .notRenewable: "It can't be renewed.",
        .renewalsUsed: .counted(
            one: "It has been renewed once, which is the limit.",
            other: "It has been renewed {count} times, which is the limit."),
        .renewableUntil: "It could be renewed until {date}.",
        .grantNeeded: "Its device has a newer license than the server.",
        .releaseOff: "Only support can release devices here. Write to support and name the device.",
        .releaseCooldown: """
        You released a device recently. You may release another one from {date}.
        If you can't wait, write to support.
        """,
        .releasesUsedUp: """
        You have used all device releases for this year. You may release another one from {date}.
        If you can't wait, write to support.
        """,
        .connect: "Connect the device to the internet and open it there. It renews automatically.",
        .wait: "You don't have to do anything.",
        .releaseBelow: "Release a device that you no longer use, below.",
        .releaseBySupport: "Ask support to release a device that you no longer use.",
        .setClock: "Correct the device's clock, or connect it to the internet once.",
        .vendor: "Write to support and include the reference at the end of this page.",
        .appConnect: "Connect to the internet and open it again.",
        .appWait: "Wait until it starts.",
        .appRelease: "Release a device that you no longer use.",
        .appSetClock: "Correct the clock of the device.",
        .appVendor: "Write to support.",
        .playerBusy: "The license server is busy. Please try again in a minute.",
        .playerUnread: "The request could not be understood.",
    ]
}
