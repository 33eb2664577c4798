import TenureCore
import TenureServerKit

/// The learner page with courses, content items and devices.
struct LearnerView: Sendable {
    let contents: LearnerContents
    let frame: PageFrame

    var language: PageLanguage { frame.language }
    var now: Timestamp { contents.now }

    init(_ contents: LearnerContents, in frame: PageFrame) {
        self.contents = contents
        self.frame = frame
    }

    private static let title = Spoken("Your content", "내 콘텐츠")

    var page: Page {
        let title = Self.title(in: language)
        return Page(title: title) {
            Tag.div {
                Tag.h1 { title }
                Tag.p(.class("lead")) { lead(in: language) }
                Tag.p(.class("small soft")) { zone(in: language) }
            }
            if contents.courses.isEmpty, contents.others.isEmpty {
                Tag.section(.class("card")) {
                    Tag.p { Spoken("You aren’t enrolled in anything yet.", "아직 수강 중인 과정이 없습니다.")(in: language) }
                }
            }
            Tag.div(.class("cards")) {
                for (place, course) in contents.courses.enumerated() { card(of: course, place + 1) }
                if !contents.others.isEmpty { others }
            }
            about
            Tag.div(.class("cards")) {
                for (place, device) in contents.devices.enumerated() { card(of: device, place + 1) }
            }
        }
    }

    private var lead: Spoken {
        Spoken(
            "Your available content, what you can play, and what is stored on your devices, as they last reported it.",
            "이용할 수 있는 콘텐츠와 재생 상태, 기기에 저장된 항목입니다. 기기가 마지막으로 알려 온 내용을 기준으로 합니다.")
    }

    /// The time zone of all times on the page.
    private var zone: Spoken {
        Spoken(
            "All times are in Coordinated Universal Time (UTC).",
            "모든 시각은 협정 세계시(UTC) 기준입니다. 한국 시각은 9시간 빠릅니다.")
    }

    /// The card that says how many devices hold content, and how many the holder may release.
    private var about: Markup {
        let name = ElementID("devices")
        let count = contents.devices.count
        return Tag.section(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { Spoken("Your devices", "내 기기")(in: language) }
            Tag.p {
                switch count {
                case 0: Spoken("No content is stored on your devices.", "기기에 저장된 콘텐츠가 없습니다.")(in: language)
                case 1: Spoken("Content is stored on one device.", "기기 1대에 콘텐츠가 있습니다.")(in: language)
                default: Spoken("Content is stored on \(count) devices.", "기기 \(count)대에 콘텐츠가 있습니다.")(in: language)
                }
            }
            if count > 0 { for sentence in allowance { Tag.p { sentence } } }
        }
    }

    /// How many devices the holder may release, in sentences.
    private var allowance: [String] {
        guard let left = contents.selfRelease else { return Reason(.selfReleaseOff).toldOfRelease(in: language) }
        if let nextAt = left.nextAt {
            return Reason(left.left > 0 ? .selfReleaseCooldown : .selfReleaseUsedUp, changesAt: nextAt)
                .toldOfRelease(in: language)
        }
        let sentence = Spoken(
            left.left == 1
                ? "You may release one more device this year." : "You may release \(left.left) devices this year.",
            "올해 기기 \(left.left)대를 해제할 수 있습니다.")
        return [sentence(in: language)]
    }

    /// Whether a device can be released now.
    ///
    /// The release itself checks this again.
    var canRelease: Bool { contents.selfRelease.map { $0.nextAt == nil } ?? false }

    /// The page for a visitor without a session, which explains how to open one.
    static func closed(in language: PageLanguage) -> Page {
        let title = title(in: language)
        return Page(title: title) {
            Tag.h1 { title }
            Tag.section(.class("card")) {
                Tag.p {
                    Spoken(
                        "You need a one-time link to open this page, which shows your courses and devices. Ask for a "
                            + "link where you got your content.",
                        "이 페이지는 일회용 링크로 열립니다. 콘텐츠를 구입한 곳에 링크를 요청하시면 수강 중인 과정과 기기를 볼 수 있습니다.")(in: language)
                }
            }
        }
    }

    /// A time, followed by how far it is from now.
    func moment(_ moment: Timestamp) -> Markup {
        .sequence([moment.markup(in: frame.locale), .text(" (\(moment.distance(from: now, in: language)))")])
    }

    /// A name and value in a list of facts.
    func fact(_ name: Spoken, @Markup.Builder _ value: () -> Markup) -> Markup {
        Tag.div {
            Tag.dt { name(in: language) }
            Tag.dd { value() }
        }
    }
}
