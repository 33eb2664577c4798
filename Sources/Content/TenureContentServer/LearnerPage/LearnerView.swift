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

    var page: Page {
        let title = say(.title)
        return Page(title: title) {
            Tag.div {
                Tag.h1 { title }
                Tag.p(.class("lead")) { say(.lead) }
            }
            // Devices come first, because releasing one is what a person can do here; courses may be long.
            about
            Tag.div(.class("cards")) {
                for (index, device) in contents.devices.enumerated() { card(of: device, index + 1) }
            }
            if contents.courses.isEmpty, contents.others.isEmpty {
                Tag.section(.class("card")) { Tag.p { say(.nothingYet) } }
            }
            Tag.div(.class("cards")) {
                for (index, course) in contents.courses.enumerated() { card(of: course, index + 1) }
                if !contents.others.isEmpty { others }
            }
        }
    }

    /// A text of the page in its language; `values` replace the text's placeholders, and `count` selects the singular
    /// or plural.
    func say(
        _ text: LearnerPageText, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:]
    ) -> String { text(in: language, count: count, values) }

    /// The card that says how many devices hold content, and how many the holder may release.
    private var about: Markup {
        let name = ElementID("devices")
        let count = contents.devices.count
        return Tag.section(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { FrameText.yourDevices(in: language) }
            Tag.p { count == 0 ? say(.noneStored) : say(.storedOn, count: count) }
            if count > 0 { for sentence in allowance { Tag.p { sentence } } }
        }
    }

    /// How many devices the holder may release, in sentences.
    private var allowance: [String] {
        guard let left = contents.selfRelease else { return Reason(.selfReleaseOff).toldOfRelease(in: frame.locale) }
        return left.sentences(in: frame.locale)
    }

    /// Whether a device can be released now.
    ///
    /// The release itself checks this again.
    var canRelease: Bool { contents.selfRelease.map { $0.nextAt == nil } ?? false }

    /// A time, followed by how far it is from now.
    func time(_ time: Timestamp) -> Markup {
        .sequence([time.markup(in: frame.locale), .text(language.aside(time.distance(from: now, in: language)))])
    }
}
