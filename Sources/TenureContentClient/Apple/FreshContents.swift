#if canImport(BackgroundTasks) && canImport(UIKit)
    import BackgroundTasks
    import Foundation
    public import SwiftUI

    extension ContentLibrary {
        /// Asks the system to wake the app when something is to be renewed or told (``nextRunAt``), and notes that it was
        /// asked (``runs``). Call it when the app goes to the background.
        ///
        /// The identifier must be in `BGTaskSchedulerPermittedIdentifiers` of the app's `Info.plist`. Where background
        /// refresh is switched off nothing happens: contents are renewed when the app is used.
        public func scheduleBackgroundRun(_ identifier: String) {
            guard let wakes = nextRunAt else {
                return BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier)
            }
            let request = BGAppRefreshTaskRequest(identifier: identifier)
            request.earliestBeginDate = wakes
            guard (try? BGTaskScheduler.shared.submit(request)) != nil else { return }
            backgroundAsked()
        }
    }

    extension Scene {
        /// Renews contents when the system wakes the app for it, and asks to be woken again; without a library nothing.
        ///
        /// ```swift
        /// WindowGroup { Lessons() }
        ///     .renewsContents(library, as: "com.acme.lessons.contents")
        /// ```
        public func renewsContents(_ library: ContentLibrary?, as identifier: String) -> some Scene {
            backgroundTask(.appRefresh(identifier)) {
                await library?.runInBackground()
                await library?.scheduleBackgroundRun(identifier)
            }
        }
    }
#endif
