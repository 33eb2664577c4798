"""A headless browser: Chromium from the distribution's package."""

import base64
import os
import re
import shutil
from pathlib import Path

from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from program import PACKAGE

ARTIFACTS = PACKAGE / ".build/artifacts/pages"
PHONE, DESKTOP = (390, 844), (1280, 800)
ANSWER_SECONDS = 60


class Browser:
    """A browser. JavaScript is off, because the pages contain none, unless a test's own checks need it."""

    def __init__(self, profile: Path, scripts: bool = False):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        options.add_argument("--headless=new")
        options.add_argument("--disable-dev-shm-usage")
        options.add_argument("--force-color-profile=srgb")
        options.add_argument("--hide-scrollbars")
        options.add_argument(f"--user-data-dir={profile}")
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        if not scripts:
            options.add_experimental_option(
                "prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
        self.look_like(PHONE)

    def look_like(self, size: tuple[int, int], dark: bool = False) -> None:
        """Sets the screen size, and the light or dark colour scheme."""
        width, height = size
        self._do("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 2 if size == PHONE else 1,
            "mobile": size == PHONE})
        scheme = "dark" if dark else "light"
        self._do("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, url: str) -> None:
        self.driver.get(url)

    def forget(self) -> None:
        """Deletes all cookies."""
        self._do("Network.clearBrowserCookies", {})

    def cookies(self) -> list[dict]:
        return self._do("Network.getAllCookies", {})["cookies"]

    @property
    def heading(self) -> str:
        return self.driver.find_element(By.TAG_NAME, "h1").text

    @property
    def text(self) -> str:
        return self.driver.find_element(By.TAG_NAME, "body").text

    @property
    def headlines(self) -> list[str]:
        """The headings of the cards."""
        return [element.text for element in self.driver.find_elements(By.CSS_SELECTOR, "article h2, article h3")]

    def fill(self, label: str, text: str) -> None:
        """Types into the field with this label."""
        named = self.driver.find_element(By.XPATH, f"//label[normalize-space()='{label}']")
        field = self.driver.find_element(By.ID, named.get_attribute("for"))
        field.clear()
        field.send_keys(text)

    def read_in(self, language: str, zone: str = "UTC") -> None:
        """Chooses the language and the time zone of all pages, with the form at the end of a page."""
        for field, value in (("view-language", language), ("view-zone", zone)):
            Select(self.driver.find_element(By.ID, field)).select_by_value(value)
        page = self.driver.find_element(By.TAG_NAME, "html")
        self.driver.find_element(By.CSS_SELECTOR, "form.view button").click()
        WebDriverWait(self.driver, ANSWER_SECONDS).until(lambda _: is_gone(page))

    def value(self, label: str) -> str:
        named = self.driver.find_element(By.XPATH, f"//label[normalize-space()='{label}']")
        return self.driver.find_element(By.ID, named.get_attribute("for")).get_property("value")

    def press(self, words: str, card: str | None = None) -> None:
        """Clicks a button, link or summary with these words, on a card if one is named, and waits for the next page."""
        page = self.driver.find_element(By.TAG_NAME, "html")
        within = f"//article[.//*[self::h2 or self::h3][normalize-space()='{card}']]" if card else ""
        pressed = self.driver.find_element(
            By.XPATH, f"{within}//*[self::button or self::a or self::summary][contains(normalize-space(), '{words}')]")
        pressed.click()
        if pressed_is_within(pressed, "summary"):
            return
        WebDriverWait(self.driver, ANSWER_SECONDS).until(lambda _: is_gone(page))

    def click(self, words: str) -> None:
        """Clicks the button with these words, and doesn't wait."""
        self.driver.find_element(By.XPATH, f"//button[normalize-space()='{words}']").click()

    def complaints(self) -> list[str]:
        """The browser's console errors, such as refused styles and scripts, except responses with status 4xx."""
        return [
            entry["message"] for entry in self.driver.get_log("browser")
            if not re.search(r"the server responded with a status of 4\d\d", entry["message"])]

    def photograph(self, name: str) -> None:
        """Saves a screenshot of the whole page."""
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        size = self._do("Page.getLayoutMetrics", {})["cssContentSize"]
        shot = self._do("Page.captureScreenshot", {
            "captureBeyondViewport": True, "clip": {
                "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}})
        (ARTIFACTS / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))

    def barriers(self) -> list[str]:
        """The page's accessibility violations, as axe-core reports them."""
        found = Axe().run(self.driver)
        return [
            f"{violation['id']}: {node['target']} {node.get('failureSummary', '')}"
            for violation in found["violations"] for node in violation["nodes"]]

    def measure(self, script: str):
        """Evaluates a JavaScript expression on the page, and returns its value."""
        return self.driver.execute_script(f"return {script}")

    def close(self) -> None:
        self.driver.quit()

    def _do(self, command: str, parameters: dict) -> dict:
        return self.driver.execute_cdp_cmd(command, parameters)


def pressed_is_within(element, tag: str) -> bool:
    """Whether a clicked element that is still on the page has this tag."""
    try:
        return element.tag_name == tag
    except Exception:
        return False


def is_gone(page) -> bool:
    """Whether the browser has replaced the page."""
    try:
        page.tag_name
        return False
    except Exception:
        return True
